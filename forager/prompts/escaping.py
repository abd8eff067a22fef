"""Marks that text of pages must not imitate: citations, our fence, and chat templates."""

import re

CITATION_MARK = re.compile(r"\s*\[(e\d+(?:\s*[,;]\s*e\d+)*)\]")


def escape_citations(text: str) -> str:
    """Text of a page with everything that looks like one of our citations in round brackets."""
    return CITATION_MARK.sub(r" (\1)", text)


FENCE_MARK = re.compile(r"\[(?=\s*\[\s*/?\s*(?:material|end)\b)", re.IGNORECASE)
TEMPLATE_MARK = re.compile(
    r"<(?=[|｜][^\n<>]{0,40}[|｜]>"
    r"|/?(?:s|bos|eos|pad|unk|sop|think(?:ing)?|system|developer|user|assistant|human|model|tool|"
    r"(?:start|end)_of_[a-z]+|unused\d+|[BE]OS_TOKEN|invoke|parameter|function\b=?|"
    r"(?:tool|function)_?(?:call|calls|response|result|results|use))\b[^\n<>]{0,80}>"
    r"|<\s*/?\s*SYS\s*>>)",
    re.IGNORECASE,
)
INSTRUCTION_MARK = re.compile(
    r"\[(?=/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS|gMASK)\])",
    re.IGNORECASE,
)
