//! Every action that a seat may take now.

use std::ops::ControlFlow;

use dictionary::{Letter, Spelling};

use super::actions::Action;
use super::state::{Hachiku, Phase};
use super::word::Spoken;
use crate::game::{Completeness, Inquiry, Visit};
use crate::seat::Seat;

impl Hachiku {
    /// Visits the legal actions of a seat: cards first, then words, then swaps.
    pub(super) fn visit_legal(&self, seat: Seat, inquiry: Inquiry<'_>, visit: Visit<'_, Action>) -> Completeness {
        if self.owing().contains(seat) {
            // A visitor that breaks off has what it wanted.
            let _ = self.legal(seat, inquiry, visit);
        }
        Completeness::Complete
    }

    fn legal(&self, seat: Seat, inquiry: Inquiry<'_>, visit: Visit<'_, Action>) -> ControlFlow<()> {
        match &self.phase {
            Phase::ChooseHead => self.field.iter().try_for_each(|letter| visit(Action::ChooseHead { letter })),
            Phase::Turns { head, .. } => {
                self.field.iter().try_for_each(|letter| visit(Action::Gather { letter }))?;
                self.words(seat, *head, inquiry, Action::Say, visit)?;
                self.swaps(seat, visit)
            }
            Phase::Judging { .. } => [true, false].into_iter().try_for_each(|accept| visit(Action::Judge { accept })),
            Phase::FinalWords { head, .. } => {
                self.words(seat, *head, inquiry, Action::FinalWord, visit)?;
                visit(Action::FinalPass {})
            }
            Phase::Over { .. } => ControlFlow::Continue(()),
        }
    }

    /// Every word of the match that the hand can lay.
    fn words(
        &self,
        seat: Seat,
        head: Letter,
        inquiry: Inquiry<'_>,
        action: fn(Spoken) -> Action,
        visit: Visit<'_, Action>,
    ) -> ControlFlow<()> {
        let mut flow = ControlFlow::Continue(());
        if inquiry.words {
            self.words.playable(head, self.hands[seat], inquiry.lexicon, &mut |letters| {
                flow = visit(action(Spoken::Letters(Spelling::from(letters))));
                flow
            });
        }
        flow
    }

    /// Each pair of the hand once, with each head that the field then offers.
    fn swaps(&self, seat: Seat, visit: Visit<'_, Action>) -> ControlFlow<()> {
        let hand = self.hands[seat];
        for first in hand.iter() {
            for second in hand.iter().filter(|&second| second > first) {
                for head in self.field.with(first).with(second).iter() {
                    visit(Action::Swap { returned: [first, second], head })?;
                }
            }
        }
        ControlFlow::Continue(())
    }
}
