#!/usr/bin/env python3
import sys

def main():
    print("this is not C", file=sys.stderr)

main()
