#!/usr/bin/env python3
"""Checks the record of a match from docs/chance.md alone, with nothing but Python's standard library.

    verify_record.py RECORD.json…

There is a line for each record; the exit status is 1 when one does not follow.

It judges everything that is chance: the commitment, the order of the seats, every die, stick,
shuffle and tremor, what is dealt and drawn from a shuffled pile, the chance used, and with it the
hash chain, the times' order and that the outcome is the one of the last event. It does not judge
what only the rules can tell: whether an action was legal and what else came of it, whether a word
is one, where the simulated world came to rest, whether a clock had run out, why a bot chose what it
chose. For those there is `takujo verify`.
"""

import hashlib
import json
import math
import struct
import sys
import uuid
from datetime import datetime

FORMAT = "takujo-record-1"
ALGORITHM = "chacha20-v1"
RULES_VERSION = 1


class Flaw(Exception):
    """The first thing that does not follow: where, which check of the page, and what is wrong."""

    def __init__(self, check, detail, version=None):
        self.place = "" if version is None else f"version {version}: "
        super().__init__(f"{self.place}{check}: {detail}")


# The stream: ChaCha20 with a 64-bit counter and a 64-bit nonce of 0, read as 32-bit words.


def rotate(word, by):
    return ((word << by) | (word >> (32 - by))) & 0xFFFFFFFF


def quarter(state, a, b, c, d):
    for x, y, z, by in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
        state[x] = (state[x] + state[y]) & 0xFFFFFFFF
        state[z] = rotate(state[z] ^ state[x], by)


def block(key, counter):
    start = [0x61707865, 0x3320646E, 0x79622D32, 0x6B206574, *struct.unpack("<8I", key)]
    start += [counter & 0xFFFFFFFF, counter >> 32, 0, 0]
    state = list(start)
    for _ in range(10):
        for column in ((0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15)):
            quarter(state, *column)
        for diagonal in ((0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14)):
            quarter(state, *diagonal)
    return [(one + other) & 0xFFFFFFFF for one, other in zip(state, start)]


class Chance:
    """A stream, and the scripted values that come before it."""

    def __init__(self, key, dice=(), deck=()):
        self.key, self.script_dice, self.script_deck = key, list(dice), list(deck)
        self.words = self.dice = self.cards = 0
        self.block = []

    def word(self):
        if self.words % 16 == 0:
            self.block = block(self.key, self.words // 16)
        self.words += 1
        return self.block[(self.words - 1) % 16]

    def below(self, bound):
        while True:
            word = self.word()
            if word < 2**32 - 2**32 % bound:
                return word % bound

    def die(self, sides):
        if self.dice < len(self.script_dice):
            self.dice += 1
            return self.script_dice[self.dice - 1]
        return 1 + self.below(sides)

    def shuffle(self, items):
        for i in range(len(items) - 1, 0, -1):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]

    def pile(self, cards):
        rest, top = list(cards), []
        while rest and self.cards < len(self.script_deck) and self.script_deck[self.cards] in rest:
            rest.remove(self.script_deck[self.cards])
            top.append(self.script_deck[self.cards])
            self.cards += 1
        self.shuffle(rest)
        return top + rest

    def used(self):
        return {"words": self.words, "dice": self.dice, "cards": self.cards}


def match_key(seed, match_id, entropy):
    parts = b"".join(bytes([len(part)]) + part for part in entropy)
    return hashlib.sha256(b"takujo chance v1" + seed + match_id + parts).digest()


def seat_order_key(seed, match_id):
    return hashlib.sha256(b"takujo seat order v1" + seed + match_id).digest()


def bot_key(key, version):
    return hashlib.sha256(b"takujo bot v1" + key + struct.pack("<I", version)).digest()


# The hash chain: JSON with sorted keys and no spaces, numbers as they are spelled.


class Spelled(float):
    """A number with a point or an exponent, which also knows how it was spelled."""

    def __new__(cls, text):
        number = super().__new__(cls, text)
        number.text = text
        return number


def canonical(value):
    if isinstance(value, dict):
        fields = (f"{canonical(name)}:{canonical(value[name])}" for name in sorted(value))
        return "{" + ",".join(fields) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    return value.text if isinstance(value, Spelled) else json.dumps(value, ensure_ascii=False)


def hashed(text):
    return hashlib.sha256(text.encode()).hexdigest()


def without(value, *names):
    return {name: part for name, part in value.items() if name not in names}


def setup_hash(record):
    return hashed(canonical(without(record, "steps", "outcome")))


def step_hash(before, step):
    return hashed(f"{before}\n{canonical(without(step, 'hash'))}")


# What the games ask for. Each game is told every step; an event that is not what it should be is a
# flaw. What a game cannot know from the page it takes from the events.


class Wrong(Exception):
    """An event of a step that is not what it should be."""

    def __init__(self, index, detail):
        self.index, self.detail = index, detail
        super().__init__(detail)


class Game:
    """A game that never asks for chance."""

    # The actions that ask for chance, with the events of which each brings one, and nothing else any.
    asks = {}
    # The event that has to come when the match starts.
    begins = None

    def __init__(self, record, chance):
        self.seats, self.options, self.chance = len(record["seats"]), record["options"], chance

    def whole(self, step):
        """Whether the step has every event of chance that it should have, and no more."""
        kinds = [event["type"] for event in step["events"]]
        if "started" in kinds and self.begins not in (None, *kinds):
            raise Wrong(None, f"there should be {self.begins}")
        for action, events in self.asks.items():
            should = int((step.get("action") or {}).get("type") == action)
            if sum(kind in events for kind in kinds) != should:
                raise Wrong(None, f"there should be {should} {' or '.join(events)}")

    def event(self, event, step):
        """What should stand in the event: a part of it."""
        return {}


class TwentyOne(Game):
    asks = {"roll": ("rolled", "sudden_death_rolled")}

    def event(self, event, step):
        if event["type"] in ("rolled", "sudden_death_rolled"):
            return {"die": self.chance.die(6)}
        return {}


class Deck:
    """A pile that is drawn from, its top first."""

    def __init__(self, cards=()):
        self.cards = list(cards)

    def draw(self, count):
        drawn, self.cards = self.cards[:count], self.cards[count:]
        return drawn


class Kamudakara(Game):
    KINDS = ("sword", "mirror", "jewel", "demon")
    begins = "dealt"

    def in_order(self, cards):
        return sorted(cards, key=self.KINDS.index)

    def event(self, event, step):
        kind = event["type"]
        if kind == "dealt":
            return self.deal(event)
        if kind in ("ritual_drawn", "drew"):
            if kind == "ritual_drawn" and event["count"] != min(2, len(self.deck.cards)):
                return {"count": min(2, len(self.deck.cards))}
            drawn = self.deck.draw(event["count"])
            return {"count": len(drawn), "cards": self.in_order(drawn)}
        if kind == "ritual_kept":
            end = 0 if event["return_to"] == "top" else len(self.deck.cards)
            self.deck.cards.insert(end, event["returned"])
        return {}

    def deal(self, event):
        pile = [kind for kind in self.KINDS[:3] for _ in range(12)] + ["demon"] * (12 - self.seats)
        self.deck = Deck(self.chance.pile(pile))
        hands = [None] * self.seats
        for place in range(self.seats):
            cards = ["demon", *self.deck.draw(6 - self.seats + place)]
            hands[(event["first"] + place) % self.seats] = self.in_order(cards)
        sizes = [len(hand) for hand in hands]
        return {"hands": hands, "hand_sizes": sizes, "deck": self.deck.cards, "deck_size": len(self.deck.cards)}


class Salamander(Game):
    COPIES = {"air": 4, "water": 4, "earth": 4, "fire": 4, "stone-1": 5, "stone-2": 5, "stone-3": 5}
    COPIES |= {f"number-{value}": count for value, count in zip(range(1, 8), (1, 2, 3, 4, 3, 2, 1))}
    KEYS = (1, 1, 4)
    begins = "shuffled"
    asks = {"throw": ("thrown",), "throw_keys": ("keys_thrown",)}

    def __init__(self, *record):
        super().__init__(*record)
        self.deck, self.discards = Deck(), None

    def event(self, event, step):
        kind = event["type"]
        if kind == "shuffled":
            return self.shuffle()
        if kind == "dealt":
            return {"cards": self.deck.draw(2)}
        if kind == "thrown":
            numbers, picture = [self.chance.die(4), self.chance.die(4)], self.chance.die(4)
            return {"throw": {"numbers": numbers, "picture": "lizard" if picture <= 2 else "stone"}}
        if kind == "keys_thrown":
            return {"throws": self.throw_keys()}
        if kind == "drew":
            return {"card": self.deck.draw(1)[0] if self.deck.cards else None}
        if kind == "drew_nothing" and (self.deck.cards or self.discards):
            return {"type": "drew"}
        if kind == "discarded":
            self.discards.append(event["card"])
        return {}

    def shuffle(self):
        if self.discards is None:
            cards = [card for card, count in self.COPIES.items() for _ in range(count)]
        else:
            cards = sorted(self.discards, key=list(self.COPIES).index)
        self.deck, self.discards = Deck(self.chance.pile(cards)), []
        return {"deck": self.deck.cards, "deck_size": len(cards)}

    def throw_keys(self):
        throws, aside = [], [False] * 3
        while len(throws) < 5 and not all(aside):
            throws.append([None if kept else self.chance.die(4) for kept in aside])
            aside = [kept or face == key for kept, face, key in zip(aside, throws[-1], self.KEYS)]
        return throws


class Sainokawara(Game):
    TREMORS = {"steady": 0.25, "normal": 1.0, "shaky": 1.6}
    asks = {"roll_start": ("start_rolled",), "stack": ("set_down",), "adjust": ("adjusted",)}

    def __init__(self, *record):
        super().__init__(*record)
        self.tower = []

    def event(self, event, step):
        kind = event["type"]
        if kind == "start_rolled":
            self.tower = []
            return {"dice": [self.chance.die(6), self.chance.die(6)]}
        if kind == "set_down":
            return {"at": self.set_down(event, step["action"])}
        if kind == "adjusted":
            self.tower = event["poses"]
            return {"by": self.stray(step["action"])}
        if kind == "cleared":
            self.tower = event["poses"]
        return {}

    def set_down(self, event, action):
        below = self.tower[-1]["position"] if self.tower else (0.0, 0.0)
        at = self.stray(action)
        self.tower = event["poses"][: event["number"] - 1] if event["landing"] == "missed" else event["poses"]
        return {"x": milli(below[0] + at["x"]), "y": milli(below[1] + at["y"]), "turn": at["turn"]}

    def stray(self, aim):
        spread = self.TREMORS[self.options["tremor"]]
        # The engine's numbers are doubles: the order of the operations matters.
        scales = {"x": 1.0, "y": 1.0, "turn": 3.0}
        return {part: milli(aim[part] + spread * scale * self.bell()) for part, scale in scales.items()}

    def bell(self):
        total = sum(self.chance.below(2001) for _ in range(4))
        return (total / 1000.0 - 4.0) * math.sqrt(0.75)


def milli(value):
    """The nearest thousandth; a half goes away from zero."""
    scaled = value * 1000.0
    whole = math.trunc(scaled)
    if abs(scaled - whole) >= 0.5:
        whole += 1 if scaled > 0 else -1
    return whole / 1000.0


GAMES = {
    "hachiku": Game,
    "twenty_one": TwentyOne,
    "kamudakara": Kamudakara,
    "salamander": Salamander,
    "sainokawara": Sainokawara,
}


# The checks, in the page's order.

# What a malformed record or event runs into.
MALFORMED = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)


def instant(text):
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def entropy_of(record):
    return [bytes.fromhex(seat["entropy"]) for seat in record["seats"]]


def check_setup(record):
    if record["format"] != FORMAT:
        raise Flaw("form", f"the format is {record['format']}, not {FORMAT}")
    chance = record["chance"]
    if chance["algorithm"] != ALGORITHM:
        raise Flaw("algorithm", f"the chance is made by {chance['algorithm']}, not {ALGORITHM}")
    seed = bytes.fromhex(chance["server_seed"])
    if hashlib.sha256(seed).hexdigest() != chance["commitment"]:
        raise Flaw("commitment", "it is not the hash of the server seed")
    if record["game"] not in GAMES or record["rules_version"] != RULES_VERSION:
        raise Flaw("rules", f"the page does not know {record['game']} by version {record['rules_version']}")
    places = list(range(len(record["seats"])))
    order = [None for _ in places]
    if record["seat_order"] == "shuffled":
        order = list(places)
        Chance(seat_order_key(seed, uuid.UUID(record["id"]).bytes)).shuffle(order)
    if [seat.get("given") for seat in record["seats"]] != order:
        raise Flaw("seat-order", f"the seats of the request should sit in the order {order}")
    if [seat["seat"] for seat in record["seats"]] != places:
        raise Flaw("set-up", "the seats should be listed in their order")
    if any(len(part) > 64 for part in entropy_of(record)):
        raise Flaw("set-up", "entropy is 64 bytes at most")
    return seed


def check_step(game, step, position):
    try:
        for index, event in enumerate(step["events"]):
            for field, should in game.event(event, step).items():
                if event.get(field) != should:
                    raise Wrong(index, f"`{field}` should be {json.dumps(should)}")
        game.whole(step)
    except Wrong as wrong:
        place = "" if wrong.index is None else f"event {wrong.index}: "
        raise Flaw("event", place + wrong.detail, step["version"]) from None
    except MALFORMED as error:
        raise Flaw("event", f"something is missing or misplaced: {error!r}", step["version"]) from None
    if step["chance_used"] != position():
        raise Flaw("chance", f"the chance used should be {json.dumps(position())}", step["version"])


def check(record):
    """Raises the first Flaw there is."""
    seed = check_setup(record)
    key = match_key(seed, uuid.UUID(record["id"]).bytes, entropy_of(record))
    script = record.get("sandbox", {})
    chance = Chance(key, script.get("dice", ()), script.get("deck", ()))
    game = GAMES[record["game"]](record, chance)
    before, now, outcome = setup_hash(record), instant(record["created_at"]), None
    for version, step in enumerate(record["steps"], 1):
        if step["hash"] != step_hash(before, step):
            raise Flaw("hash", "it does not follow from the step and what is before it", step["version"])
        if step["version"] != version:
            raise Flaw("version", f"it should be version {version}", step["version"])
        if instant(step["at"]) < now:
            raise Flaw("time", "it happens before the version it follows", version)
        if outcome is not None:
            raise Flaw("action", "the match is over", version)
        check_step(game, step, chance.used)
        before, now = step["hash"], instant(step["at"])
        last = step["events"][-1] if step["events"] else {}
        outcome = last["outcome"] if last.get("type") == "finished" else None
    if outcome is None:
        raise Flaw("outcome", "the match is not finished after its last step")
    if outcome != record["outcome"]:
        raise Flaw("outcome", f"it should be {json.dumps(outcome)}")


def judged(path):
    """Whether a record follows, and a line that says so."""
    try:
        with open(path, encoding="utf-8") as file:
            record = json.load(file, parse_float=Spelled)
        check(record)
    except Flaw as flaw:
        return False, f"{path}: does not follow: {flaw}"
    except (OSError, *MALFORMED) as error:
        return False, f"{path}: does not follow: form: {error!r}"
    steps = len(record["steps"])
    return True, f"{path}: follows: {steps} steps, as far as chance, the hash chain and the order of times tell"


def main(arguments):
    if not arguments or arguments[0].startswith("-"):
        print(__doc__, file=sys.stderr)
        return 2
    verdicts = []
    for path in arguments:
        follows, line = judged(path)
        print(line)
        verdicts.append(follows)
    return 0 if all(verdicts) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
