//! Every legal action, one by one.

use std::ops::ControlFlow;

use arrayvec::ArrayVec;

use super::actions::{Action, Claim};
use super::board::Piece;
use super::cards::{Card, Element, Kind, Number, Stone};
use super::state::{Phase, Salamander, Step};
use super::sticks::{By, Throw};
use crate::game::Visit;
use crate::seat::Seat;

impl Salamander {
    pub(super) fn visit_legal(&self, seat: Seat, visit: Visit<'_, Action>) -> ControlFlow<()> {
        match self.phase {
            Phase::Opening { owing } if owing.contains(seat) => self.visit_discards(seat, visit),
            Phase::Turn { seat: turn, step } if turn == seat => self.visit_step(seat, step, visit),
            Phase::Opening { .. } | Phase::Turn { .. } | Phase::Over { .. } => ControlFlow::Continue(()),
        }
    }

    fn visit_step(&self, seat: Seat, step: Step, visit: Visit<'_, Action>) -> ControlFlow<()> {
        match step {
            Step::Throw => visit(Action::Throw {}),
            Step::Jail => {
                visit(Action::ThrowKeys {})?;
                for target in self.others(seat) {
                    visit_questions(target, visit)?;
                }
                self.visit_announcements(seat, visit)?;
                visit(Action::EndTurn {})
            }
            Step::Discard { .. } => self.visit_discards(seat, visit),
            Step::PlaceStone { .. } => self.visit_rooms(seat, visit),
            Step::Move { throw } => self.visit_moves(seat, throw, visit),
            Step::Act { throw, asked } => {
                if let Some(target) = self.askable(seat, asked) {
                    visit_questions(target, visit)?;
                }
                if self.pieces[seat] == Piece::Home {
                    self.visit_announcements(seat, visit)?;
                }
                if throw.is_double() {
                    visit(Action::Throw {})?;
                }
                visit(Action::EndTurn {})
            }
        }
    }

    fn others(&self, seat: Seat) -> impl Iterator<Item = Seat> + Clone {
        self.seats.seats().filter(move |&other| other != seat)
    }

    fn visit_discards(&self, seat: Seat, visit: Visit<'_, Action>) -> ControlFlow<()> {
        self.hands[seat].surplus().try_for_each(|card| visit(Action::Discard { card }))
    }

    fn visit_rooms(&self, seat: Seat, visit: Visit<'_, Action>) -> ControlFlow<()> {
        let (mut elements, mut stones, mut numbers) = (None, None, None);
        for &card in self.hands[seat].cards() {
            match card {
                Card::Element(element) => elements = Some(element),
                Card::Stone(stone) => stones = Some(stone),
                Card::Number(number) => numbers = Some(number),
            }
        }
        for element in Element::ALL.into_iter().filter(|&element| elements.is_none_or(|held| held == element)) {
            for stone in Stone::all().filter(|&stone| stones.is_none_or(|held| held == stone)) {
                for number in Number::all().filter(|&number| numbers.is_none_or(|held| held == number)) {
                    visit(Action::PlaceStone { element, stone, number })?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn visit_moves(&self, seat: Seat, throw: Throw, visit: Visit<'_, Action>) -> ControlFlow<()> {
        let home = self.pieces[seat].steps_home(seat, self.seats);
        for by in [By::Sum, By::Difference] {
            visit(Action::Move { by, enter_home: false })?;
            if home == Some(throw.steps(by)) {
                visit(Action::Move { by, enter_home: true })?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Every announcement once: its claims in the order of the kinds.
    fn visit_announcements(&self, seat: Seat, visit: Visit<'_, Action>) -> ControlFlow<()> {
        if self.hands[seat].is_empty() {
            return ControlFlow::Continue(());
        }
        match *self.hands[seat].missing() {
            [kind] => {
                for claim in self.claims(seat, kind) {
                    visit(Action::Announce { claims: ArrayVec::from_iter([claim]) })?;
                }
            }
            [first, second] => {
                for one in self.claims(seat, first) {
                    for other in self.claims(seat, second) {
                        visit(Action::Announce { claims: ArrayVec::from_iter([one, other]) })?;
                    }
                }
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }

    /// Every statement about a card of this kind.
    fn claims(&self, seat: Seat, kind: Kind) -> impl Iterator<Item = Claim> + Clone {
        self.others(seat).flat_map(move |seat| kind.cards().iter().map(move |&card| Claim { seat, card }))
    }
}

fn visit_questions(target: Seat, visit: Visit<'_, Action>) -> ControlFlow<()> {
    Card::ALL.into_iter().try_for_each(|card| visit(Action::Ask { seat: target, card }))
}
