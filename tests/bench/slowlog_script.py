"""What a diligent operator writes in an hour: slow calls of a log by table, method and client, with
the times of each. A regular expression finds the line, json reads it, a dict holds the groups.
usage: slowlog_script.py LOG"""

import json
import re
import sys

CALL = re.compile(r"\((?:response|operation)Too(?:Slow|Large)[^)]*\): (\{.*\})")
REGION = re.compile(r'(?:region= |value: ")([^,"]+),')
DETAILS = re.compile(r"table: (\S+) region: ")


def table_of(call):
    found = DETAILS.search(call.get("scandetails", "")) or REGION.search(call.get("param", ""))
    return found.group(1) if found else call.get("table", "?")


def quantile(ordered, q):
    return ordered[min(len(ordered) - 1, int(q * len(ordered)))]


def read(path):
    groups = {}
    with open(path, encoding="utf-8", errors="replace") as log:
        for line in log:
            found = CALL.search(line)
            if not found:
                continue
            try:
                call = json.loads(found.group(1))
            except ValueError:
                continue
            client = call["client"].rsplit(":", 1)[0]
            calls = groups.setdefault((table_of(call), call["method"], client), [])
            calls.append((int(call["processingtimems"]), int(call["queuetimems"]),
                          int(call["responsesize"]), int(call["starttimems"])))
    return groups


def main():
    groups = read(sys.argv[1])
    order = sorted(groups.items(), key=lambda item: -sum(call[0] for call in item[1]))
    for key, calls in order[:20]:
        times = sorted(call[0] for call in calls)
        print(*key, len(calls), sum(times), quantile(times, 0.5), quantile(times, 0.95), times[-1],
              sum(call[1] for call in calls), sum(call[2] for call in calls),
              min(call[3] for call in calls), max(call[3] for call in calls), sep="\t")


main()
