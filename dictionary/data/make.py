#!/usr/bin/env python3
"""Make the word data again, byte for byte, from pinned packages of PyPI.

    ./make.py                    writes sudachi.tsv.zst and edrdg.tsv.zst beside itself
    ./make.py --wide FILE        writes the tier `wide` instead: the rest of JMnedict, for local use
    ./make.py --check            makes everything in memory and compares it with the files here

It installs what `requirements.txt` pins into a folder of its own (`--venv`) and runs itself there.
A row is `reading <tab> class <tab> rank <tab> written forms …`; the rows are sorted. README.md
tells where the words come from, under which licences, and what is left out.
"""
import argparse
import collections
import hashlib
import json
import os
import pathlib
import re
import sqlite3
import subprocess
import sys
import unicodedata
import venv

HERE = pathlib.Path(__file__).resolve().parent
DEFAULT_VENV = pathlib.Path.home() / ".cache" / "takujo" / "lexicon-sources"
MAX_READING = 100  # kana; the crate refuses longer texts
ZSTD_LEVEL = 22

# ---- readings -------------------------------------------------------------------------------

KATAKANA = {code: code - 0x60 for code in range(ord("ァ"), ord("ヶ") + 1)}
SAME = {"〜": "ー", "～": "ー", "・": None, "･": None, "＝": None, "゠": None, "=": None}
TO_READING = str.maketrans({**KATAKANA, **{ord(k): v for k, v in SAME.items()}})
READING = re.compile("[ぁ-ゖーゝゞヽヾヷ-ヺ゛゜\u3099\u309a]+")
LATIN_OR_DIGIT = re.compile(r"[0-9A-Za-z]")


def reading_of(kana):
    """The reading in hiragana, or None where something in it is not kana."""
    reading = unicodedata.normalize("NFC", kana).translate(TO_READING)
    return reading if READING.fullmatch(reading) and len(reading) <= MAX_READING else None


def is_latin(surface):
    return LATIN_OR_DIGIT.search(unicodedata.normalize("NFKC", surface)) is not None


CLASSES = [
    "common", "place", "person", "organization", "proper", "surname", "given_name", "verb",
    "adjective", "adverb", "other",
]


def order(row):
    (reading, word_class), _ = row
    return reading, CLASSES.index(word_class)


class Rows:
    """(reading, class) → rank and written forms."""

    def __init__(self):
        self.rows = {}

    def add(self, reading, word_class, forms, rank=None):
        row = self.rows.setdefault((reading, word_class), [None, set()])
        row[0] = min(filter(None, (row[0], rank)), default=None)
        row[1].update(form for form in forms if form != reading and not re.search(r"[\t\n\r]", form))

    def tsv(self, header):
        lines = ["#" + json.dumps(header, ensure_ascii=False, sort_keys=True)]
        for (reading, word_class), (rank, forms) in sorted(self.rows.items(), key=order):
            lines.append("\t".join([reading, word_class, str(rank or ""), *sorted(forms)]))
        return "\n".join(lines) + "\n"


# ---- credits ----------------------------------------------------------------------------------

SUDACHI_SOURCES = [{
    "name": "SudachiDict core",
    "version": "20261015",
    "date": "2026-10-15",
    "url": "https://github.com/WorksApplications/SudachiDict",
    "licence": "Apache-2.0",
    "notice": "SudachiDict by Works Applications Co., Ltd. is licensed under the Apache License, "
    "Version 2.0. It includes UniDic (Copyright (c) 2011-2013, The UniDic Consortium, 3-clause BSD "
    "licence) and a part of mecab-ipadic-NEologd (Copyright (C) 2015-2019 Toshinori Sato, Apache "
    "License, Version 2.0).",
}]
EDRDG_NOTICE = (
    "This data uses {} by the Electronic Dictionary Research and Development Group, in conformance "
    "with the Group's licence: https://www.edrdg.org/edrdg/licence.html"
)
JMNEDICT_SOURCE = {
    "name": "JMnedict",
    "version": "1.08",
    "date": "2020-05-29",
    "url": "https://www.edrdg.org/enamdict/enamdict_doc.html",
    "licence": "CC-BY-SA-4.0",
    "notice": EDRDG_NOTICE.format("JMnedict"),
}
EDRDG_SOURCES = [
    {
        "name": "JMdict",
        "version": "1.08",
        "date": "2021-04",
        "url": "https://www.edrdg.org/jmdict/j_jmdict.html",
        "licence": "CC-BY-SA-4.0",
        "notice": EDRDG_NOTICE.format("JMdict"),
    },
    JMNEDICT_SOURCE,
]


def header(name, sources):
    return {"name": name, "licence": sources[-1]["licence"], "sources": sources}


# ---- SudachiDict ----------------------------------------------------------------------------

NO_WORDS = {"記号", "補助記号", "空白", "助詞", "助動詞", "接尾辞", "接頭辞"}
NAMES = {"一般": "person", "姓": "surname", "名": "given_name"}
OTHERS = {"動詞": "verb", "形容詞": "adjective", "形状詞": "adjective", "副詞": "adverb"}


def sudachi_class(pos):
    match pos[:3]:
        case ("名詞", "普通名詞", _):
            return "common"
        case ("名詞", "固有名詞", "地名"):
            return "place"
        case ("名詞", "固有名詞", "人名"):
            return NAMES[pos[3]]
        case ("名詞", "固有名詞", _):
            return "proper"
    return OTHERS.get(pos[0], "other")


def sudachi_drops(entry, pos, split_a):
    """Why an entry is no word of the lexicon, or None."""
    surface, kana = entry.raw_surface(), entry.reading_form()
    if pos[0] in NO_WORDS or pos[1] == "数詞" or len(kana) < 2:
        return "symbols, particles, affixes, numerals, one letter"
    if pos[5] != "*" and not (pos[5].startswith("終止形") and surface == entry.dictionary_form()):
        return "inflected forms"
    if pos[2] == "地名":
        units = [unit.part_of_speech()[2] == "地名" for unit in entry.split(split_a)]
        if len(units) >= 3 and units[0] and not surface.endswith(("国", "州")):
            return "postal addresses"
        if units == [True, True]:
            return "a place within a place"
    if reading_of(kana) is None:
        return "reading not kana, or too long"
    if is_latin(surface):
        return "Latin letters or digits"
    return None


def sudachi():
    from sudachipy import Dictionary, SplitMode

    rows, dropped = Rows(), collections.Counter()
    for entry in Dictionary(dict="core").entries():
        pos = entry.part_of_speech()
        reason = sudachi_drops(entry, pos, SplitMode.A)
        if reason:
            dropped[reason] += 1
        else:
            rows.add(reading_of(entry.reading_form()), sudachi_class(pos), [entry.raw_surface()])
    for reason, count in dropped.most_common():
        print(f"  SudachiDict, left out: {count:,} {reason}", file=sys.stderr)
    return rows


# ---- JMdict and JMnedict --------------------------------------------------------------------

NOUN_SENSES = {"noun (common) (futsuumeishi)", "noun or participle which takes the aux. verb suru"}
IRREGULAR = "word containing irregular kana usage"
NAME_CLASSES = {
    "person": "person", "station": "place", "organization": "organization", "company": "organization",
    "work": "proper", "product": "proper", "service": "proper", "character": "proper",
    "deity": "proper", "fiction": "proper", "event": "proper", "mythology": "proper",
    "object": "proper", "religion": "proper",
}
WIDE_CLASSES = {
    "place": "place", "surname": "surname", "fem": "given_name", "masc": "given_name",
    "given": "given_name", "unclass": "proper",
}


def jamdict():
    import jamdict_data

    return sqlite3.connect(f"file:{jamdict_data.JAMDICT_DB_PATH}?mode=ro", uri=True)


def grouped(database, query):
    groups = collections.defaultdict(list)
    for key, value in database.execute(query):
        groups[key].append(value)
    return groups


def rank_of(tags):
    """1 (the most common) to 48: JMdict's frequency band, or what its other tags come to."""
    bands = [int(tag[2:]) for tag in tags if tag.startswith("nf")]
    bands += [24 for tag in tags if tag in ("news1", "ichi1", "spec1", "gai1")][:1]
    bands += [48 for tag in tags if tag in ("news2", "ichi2", "spec2", "gai2")][:1]
    return min(bands, default=None)


def jmdict(rows, database):
    senses = grouped(database, "select idseq, ID from Sense")
    parts = grouped(database, "select sid, text from pos")
    readings_of_sense = grouped(database, "select sid, text from stagr")
    kanji = grouped(database, "select idseq, text from Kanji order by ID")
    only_with = grouped(database, "select kid, text from KNR")
    info = grouped(database, "select kid, text from KNI")
    priority = grouped(database, "select kid, text from KNP")
    for kana_id, entry, kana, no_kanji in database.execute("select ID, idseq, text, nokanji from Kana"):
        is_noun = any(
            NOUN_SENSES & set(parts[sense])
            and (not readings_of_sense[sense] or kana in readings_of_sense[sense])
            for sense in senses[entry]
        )
        reading = reading_of(kana)
        if not is_noun or reading is None or len(reading) < 2 or IRREGULAR in info[kana_id]:
            continue
        forms = [] if no_kanji else only_with[kana_id] or kanji[entry]
        forms = [form for form in forms if not is_latin(form)]
        if kanji[entry] and not forms and not no_kanji:
            continue  # written in Latin letters or digits only
        rows.add(reading, "common", [*forms, kana], rank_of(priority[kana_id]))


def jmnedict(rows, database, classes):
    kinds = grouped(
        database,
        "select n.idseq, t.text from NETranslation n join NETransType t on t.tid = n.ID",
    )
    kanji = grouped(database, "select idseq, text from NEKanji order by ID")
    for entry, kana in database.execute("select idseq, text from NEKana"):
        reading = reading_of(kana)
        forms = [form for form in kanji[entry] if not is_latin(form)]
        if reading is None or len(reading) < 2 or (kanji[entry] and not forms):
            continue
        for kind in kinds[entry]:
            if kind in classes:
                rows.add(reading, classes[kind], [*forms, kana])


def edrdg():
    rows, database = Rows(), jamdict()
    jmdict(rows, database)
    jmnedict(rows, database, NAME_CLASSES)
    return rows


def wide():
    rows = Rows()
    jmnedict(rows, jamdict(), WIDE_CLASSES)
    return rows


# ---- files ----------------------------------------------------------------------------------


def compressed(text):
    import zstandard

    settings = zstandard.ZstdCompressionParameters.from_level(ZSTD_LEVEL, threads=0)
    return zstandard.ZstdCompressor(compression_params=settings).compress(text.encode())


def standard():
    """File name → bytes of everything that is committed here."""
    files = {}
    for name, make, sources in (
        ("sudachi", sudachi, SUDACHI_SOURCES),
        ("edrdg", edrdg, EDRDG_SOURCES),
    ):
        text = make().tsv(header(name, sources))
        name += ".tsv.zst"
        files[name] = compressed(text)
        rows = text.count("\n") - 1
        print(f"{name}: {rows:,} rows, {len(files[name]):,} bytes", file=sys.stderr)
    return files


def in_sources_environment(folder):
    """Runs this script again where the pinned packages are; installs them first if they are not."""
    python = folder / "bin" / "python"
    pins = (HERE / "requirements.txt").read_bytes()
    stamp = folder / hashlib.sha256(pins).hexdigest()
    if not stamp.exists():
        print(f"installing the sources into {folder}", file=sys.stderr)
        venv.create(folder, with_pip=True, clear=True)
        subprocess.run(
            [python, "-m", "pip", "install", "--quiet", "-r", HERE / "requirements.txt"], check=True
        )
        stamp.touch()
    environment = {**os.environ, "TAKUJO_LEXICON_SOURCES": str(folder)}
    return subprocess.run([python, __file__, *sys.argv[1:]], env=environment, check=False).returncode


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--wide", metavar="FILE", type=pathlib.Path, help="write the tier `wide` there")
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    parser.add_argument("--venv", type=pathlib.Path, default=DEFAULT_VENV, help="where the sources go")
    arguments = parser.parse_args()
    if "TAKUJO_LEXICON_SOURCES" not in os.environ:
        return in_sources_environment(arguments.venv)
    if arguments.wide:
        arguments.wide.write_bytes(compressed(wide().tsv(header("wide", [JMNEDICT_SOURCE]))))
        return 0
    files = standard()
    if arguments.check:
        stale = [name for name, data in files.items() if (HERE / name).read_bytes() != data]
        print("differs: " + ", ".join(stale) if stale else "the same, byte for byte", file=sys.stderr)
        return 1 if stale else 0
    for name, data in files.items():
        (HERE / name).write_bytes(data)
    return 0


if __name__ == "__main__":
    sys.exit(main())
