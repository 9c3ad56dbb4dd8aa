//! What the tests of campaigns share.

use raddle_oracle::campaign::CampaignSummary;

/// Every program was built, no answer was wrong, and most programs were compared.
pub(crate) fn assert_clean(summary: &CampaignSummary) {
    assert_agrees(summary);
    assert!(summary.too_large * 2 < summary.programs, "most programs can be enumerated");
}

/// Every program was built, and no answer was wrong.
#[expect(clippy::print_stdout, reason = "the test tells what it has seen")]
pub(crate) fn assert_agrees(summary: &CampaignSummary) {
    println!("{summary}");
    let failures: Vec<String> = summary
        .failures
        .iter()
        .map(|failure| format!("{}: {}\n{}", failure.property.name(), failure.what, failure.text))
        .collect();
    assert_eq!(summary.unbuilt, Vec::<String>::new());
    assert!(failures.is_empty(), "{} disagreements\n{}", failures.len(), failures.join("\n\n"));
}
