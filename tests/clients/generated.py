"""Generates a Python client from openapi/openapi.json and plays a match of every game with it.

    python tests/clients/generated.py http://127.0.0.1:8080

The generator is openapi-python-client, as pinned in tests/requirements.txt; it has to find nothing
to complain of.
"""

import random
import subprocess
import sys
import tempfile
import uuid
from pathlib import Path

DESCRIPTION = Path(__file__).parents[2] / "openapi" / "openapi.json"
# After so many actions, chosen at random, the seats resign: not every game ends by itself then.
LONGEST = 150
# What a clock can make of an action that was legal when it was chosen.
PASSED_BY = ("stale-version", "not-your-turn", "match-finished")
GAMES = {"twenty_one": 2, "hachiku": 2, "kamudakara": 2, "salamander": 2, "sainokawara": 3}


def generate(folder):
    """Makes the client's package in a folder."""
    tool = Path(sys.executable).parent / "openapi-python-client"
    config = Path(folder) / "config.yml"
    # Nothing is to be done to the client once it is made.
    config.write_text("post_hooks: []\n")
    done = subprocess.run(
        [tool, "generate", "--path", DESCRIPTION, "--output-path", Path(folder) / "client", "--config", config],
        capture_output=True,
        text=True,
    )
    said = done.stdout + done.stderr
    if done.returncode or "WARNING" in said or "Unable" in said:
        sys.exit(f"the client cannot be generated whole:\n{said}")
    sys.path.insert(0, str(Path(folder) / "client"))


def play(base, game, seats):
    """Plays a whole match, each seat by the client's own types."""
    from takujo_client import AuthenticatedClient, Client
    from takujo_client.api.matches import act, create_match, legal_actions, match_events, match_record, show_match
    from takujo_client.models import ActionResult, CreatedMatch, LegalActions, Match, NewAction, NewMatch, Problem


    anyone = Client(base_url=base, raise_on_unexpected_status=True)
    setup = NewMatch.from_dict({"game": game, "seats": [{"name": f"player {seat}"} for seat in range(seats)]})
    created = create_match.sync(client=anyone, body=setup, idempotency_key=str(uuid.uuid4()))
    assert isinstance(created, CreatedMatch), created
    players = [
        AuthenticatedClient(base_url=base, token=seat.token, raise_on_unexpected_status=True) for seat in created.seats
    ]
    now, choice, turns = created.match, random.Random(7), 0
    while now.status != "finished":
        seat = choice.choice(now.to_act or [0])
        legal = legal_actions.sync(now.id, client=players[seat])
        assert isinstance(legal, LegalActions), legal
        if not legal.actions:
            # Something was due meanwhile.
            now = show_match.sync(now.id, client=players[seat])
            continue
        if turns < LONGEST:
            new = NewAction(action=choice.choice(legal.actions), version=legal.version)
        else:
            new = NewAction.from_dict({"action": {"type": "resign"}})
        result = act.sync(now.id, client=players[seat], body=new, idempotency_key=str(uuid.uuid4()))
        turns += 1
        if isinstance(result, Problem) and result.code in PASSED_BY:
            now = show_match.sync(now.id, client=players[seat])
            continue
        assert isinstance(result, ActionResult), result
        now = result.match
    shown = show_match.sync(now.id, client=anyone)
    assert isinstance(shown, Match) and shown.version == now.version, shown
    assert shown.outcome.ranks == now.outcome.ranks
    history = match_events.sync(now.id, client=anyone)
    record = match_record.sync(now.id, client=anyone)
    assert len(history.events) == sum(len(step.events) for step in record.steps)
    print(f"{game}: {turns} actions, ranks {now.outcome.ranks}")


def main(base):
    with tempfile.TemporaryDirectory() as folder:
        generate(folder)
        for game, seats in GAMES.items():
            play(base, game, seats)


if __name__ == "__main__":
    main(sys.argv[1])
