#!/usr/bin/env python3
"""Holds the test vectors of docs/chance.md against the program that was made from it.

    verify_page.py PAGE
"""

import hashlib
import json
import sys
import uuid

from verify_record import Chance, Flaw, Sainokawara, bot_key, match_key, seat_order_key


def vectors_of(path):
    """The one JSON block of the page."""
    with open(path, encoding="utf-8") as page:
        return json.loads(page.read().split("```json\n")[1].split("```")[0])


def check(vectors):
    """Raises the first Flaw there is."""
    seed, match_id = bytes.fromhex(vectors["server_seed"]), uuid.UUID(vectors["match_id"]).bytes
    key = match_key(seed, match_id, [bytes.fromhex(part) for part in vectors["entropy"]])

    def holds(name, *made_and_stated):
        for made, stated in made_and_stated:
            if made != stated:
                raise Flaw("page", f"`{name}` should be {json.dumps(made)}, not {json.dumps(stated)}")

    def words(key, count):
        stream = Chance(key)
        return [stream.word() for _ in range(count)]

    def shuffled(key, items):
        chance, items = Chance(key), list(items)
        chance.shuffle(items)
        return items, chance.words

    holds("commitment", (hashlib.sha256(seed).hexdigest(), vectors["commitment"]))
    holds("key", (key.hex(), vectors["key"]))
    holds("words", (words(key, len(vectors["words"])), vectors["words"]))

    chance = Chance(key)
    holds("dice", ([chance.die(6) for _ in vectors["dice"]], vectors["dice"]))

    below, chance = vectors["below"], Chance(key)
    values = [chance.below(below["bound"]) for _ in below["values"]]
    holds("below", (values, below["values"]), (chance.words, below["words_used"]))

    shuffle = vectors["shuffle"]
    holds("shuffle", (shuffled(key, shuffle["items"]), (shuffle["shuffled"], shuffle["words_used"])))

    dice = vectors["scripted_dice"]
    chance = Chance(key, dice=dice["script"])
    holds("scripted_dice", ([chance.die(6) for _ in dice["dice"]], dice["dice"]), (chance.words, dice["words_used"]))

    deck = vectors["scripted_deck"]
    chance = Chance(key, deck=deck["script"])
    holds("scripted_deck", (chance.pile(deck["items"]), deck["pile"]), (chance.words, deck["words_used"]))

    order, order_key = vectors["seat_order"], seat_order_key(seed, match_id)
    holds("seat_order", (order_key.hex(), order["key"]), (shuffled(order_key, order["items"])[0], order["shuffled"]))

    bot = vectors["bot"]
    own_key = bot_key(key, bot["version"])
    holds("bot", (own_key.hex(), bot["key"]), (words(own_key, len(bot["words"])), bot["words"]))

    for tremor in vectors["tremors"]:
        hand = Sainokawara({"seats": [], "options": {"tremor": tremor["tremor"]}}, Chance(key))
        holds("tremors", (hand.stray(tremor["aim"]), tremor["strayed"]), (hand.chance.words, tremor["words_used"]))


if __name__ == "__main__":
    check(vectors_of(sys.argv[1]))
    print(f"{sys.argv[1]}: every test vector holds")
