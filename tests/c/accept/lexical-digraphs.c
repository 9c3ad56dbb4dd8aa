// Digraphs.
int a<:3:> = <%1, 2, 3%>;
int f(void) <% return a<:1:>; %>
%:define TWO 2
int two = TWO;
