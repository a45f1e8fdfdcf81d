"""The part of SARIF 2.1.0 that catgraph writes, as a JSON schema that admits nothing else."""

from __future__ import annotations

from typing import Any

Schema = dict[str, Any]


def record(required: dict[str, Any], optional: dict[str, Any] | None = None) -> Schema:
    """An object with these properties and no others."""
    return {
        "type": "object",
        "required": list(required),
        "properties": {**required, **(optional or {})},
        "additionalProperties": False,
    }


def many(items: Schema, least: int = 0, unique: bool = False) -> Schema:
    """A list."""
    return {"type": "array", "items": items, "minItems": least, "uniqueItems": unique}


TEXT: Schema = {"type": "string"}
COUNT: Schema = {"type": "integer", "minimum": 0}
LINE: Schema = {"type": "integer", "minimum": 1}
BAG: Schema = {"type": "object"}
MESSAGE = record({"text": TEXT})
LEVEL: Schema = {"enum": ["none", "note", "warning", "error"]}
ARTIFACT_LOCATION = record({"uri": {"type": "string", "format": "uri-reference"}})
PHYSICAL = record(
    {"artifactLocation": ARTIFACT_LOCATION},
    {"region": record({"startLine": LINE}, {"startColumn": LINE})},
)
LOGICAL = record({"fullyQualifiedName": TEXT, "kind": TEXT})
LOCATION = record(
    {"physicalLocation": PHYSICAL},
    {"logicalLocations": many(LOGICAL, unique=True), "message": MESSAGE},
)
THREAD_FLOW = record({"locations": many(record({"location": LOCATION}), least=1)})
CODE_FLOW = record({"threadFlows": many(THREAD_FLOW, least=1)})
REPLACEMENT = record(
    {"deletedRegion": record({"charOffset": COUNT, "charLength": COUNT})},
    {"insertedContent": record({"text": TEXT})},
)
ARTIFACT_CHANGE = record(
    {"artifactLocation": ARTIFACT_LOCATION, "replacements": many(REPLACEMENT, least=1)}
)
FIX = record(
    {"artifactChanges": many(ARTIFACT_CHANGE, least=1, unique=True)}, {"description": MESSAGE}
)
RESULT = record(
    {
        "ruleId": TEXT,
        "ruleIndex": {"type": "integer", "minimum": 0},
        "level": LEVEL,
        "message": MESSAGE,
        "locations": many(LOCATION, least=1),
        "partialFingerprints": {"type": "object", "additionalProperties": TEXT},
    },
    {"codeFlows": many(CODE_FLOW), "fixes": many(FIX, unique=True), "properties": BAG},
)
RULE = record(
    {
        "id": TEXT,
        "name": TEXT,
        "shortDescription": MESSAGE,
        "fullDescription": MESSAGE,
        "help": MESSAGE,
        "defaultConfiguration": record({"level": LEVEL}),
    }
)
NOTIFICATION = record(
    {"message": MESSAGE}, {"level": LEVEL, "locations": many(LOCATION, unique=True)}
)
INVOCATION = record(
    {"executionSuccessful": {"type": "boolean"}},
    {"toolExecutionNotifications": many(NOTIFICATION)},
)
ARTIFACT = record(
    {"location": ARTIFACT_LOCATION},
    {"roles": many({"enum": ["analysisTarget"]}, unique=True)},
)
DRIVER = record({"name": TEXT, "version": TEXT, "rules": many(RULE, unique=True)})
RUN = record(
    {"tool": record({"driver": DRIVER}), "results": many(RESULT)},
    {
        "invocations": many(INVOCATION),
        "artifacts": many(ARTIFACT, unique=True),
        "columnKind": {"enum": ["unicodeCodePoints"]},
        "properties": BAG,
    },
)
LOG: Schema = record(
    {"$schema": TEXT, "version": {"const": "2.1.0"}, "runs": many(RUN, least=1)},
)
