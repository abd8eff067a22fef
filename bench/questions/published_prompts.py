"""The judges' prompts as published, word for word, and how their replies are read.

WebWalkerQA's authors judge by LangChain's evaluator `cot_qa` (MIT); FRAMES' prompt is in the paper
(arXiv 2409.12941, CC BY 4.0), FanOutQA's in its package `fanoutqa` (MIT).
"""

import re
import string
from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import NamedTuple

from forager.adapters.models.chat_calls import ChatMessage
from forager.domain.base import Frozen

COT_QA = """\
You are a teacher grading a quiz.
You are given a question, the context the question is about, and the student's answer. You are \
asked to score the student's answer as either CORRECT or INCORRECT, based on the context.
Write out in a step by step manner your reasoning to be sure that your conclusion is correct. \
Avoid simply stating the correct answer at the outset.

Example Format:
QUESTION: question here
CONTEXT: context the question is about here
STUDENT ANSWER: student's answer here
EXPLANATION: step by step reasoning here
GRADE: CORRECT or INCORRECT here

Grade the student answers based ONLY on their factual accuracy. Ignore differences in punctuation \
and phrasing between the student answer and true answer. It is OK if the student answer contains \
more information than the true answer, as long as it does not contain any conflicting statements. \
Begin!

QUESTION: {question}
CONTEXT: {reference}
STUDENT ANSWER: {answer}
EXPLANATION:"""

FRAMES = """\
===Task===
I need your help in evaluating an answer provided by an LLM against a ground truth answer. Your \
task is to determine if the ground truth answer is present in the LLM's response. Please analyze \
the provided data and make a decision.
===Instructions===
1. Carefully compare the "Predicted Answer" with the "Ground Truth Answer".
2. Consider the substance of the answers - look for equivalent information or correct answers. Do \
not focus on exact wording unless the exact wording is crucial to the meaning.
3. Your final decision should be based on whether the meaning and the vital facts of the "Ground \
Truth Answer" are present in the "Predicted Answer:"
===Input Data===
- Question: {question}
- Predicted Answer: {answer}
- Ground Truth Answer: {reference}
===Output Format===
Provide your final evaluation in the following format:
"Explanation:" (How you made the decision?)
"Decision:" ("TRUE" or "FALSE" )
Please proceed with the evaluation."""

FACTUALITY_SYSTEM = "You are comparing a submitted answer to an expert answer on a given question."
FACTUALITY = """\
[BEGIN DATA]
************
[Question]: {question}
************
[Expert]: {reference}
************
[Submission]: {answer}
************
[END DATA]

Compare the factual content of the submitted answer with the expert answer. Ignore any differences \
in style, grammar, or punctuation.
The submitted answer may either be a subset or superset of the expert answer, or it may conflict \
with it. Determine which case applies. First, write out in a step by step manner your reasoning \
about the factual content to be sure that your conclusion is correct. Avoid simply stating the \
correct answers at the outset. Then print only the single character "A", "B", "C", "D", "E", or \
"F" (without quotes or punctuation) on its own line corresponding to the correct answer. At the \
end, repeat just the letter again by itself on a new line.
(A) The submitted answer is a subset of the expert answer and is fully consistent with it.
(B) The submitted answer is a superset of the expert answer and is fully consistent with it.
(C) The submitted answer contains all the same details as the expert answer.
(D) There is a disagreement between the submitted answer and the expert answer.
(E) The answers differ, but these differences don't matter from the perspective of factuality.
(F) The submitted answer does not answer the question or is otherwise invalid."""

GRADE = re.compile(r"grade:\s*(correct|incorrect)", re.IGNORECASE)
DECISION = re.compile(r"decision\W{0,4}:\W{0,6}(true|false)", re.IGNORECASE)
BARE = str.maketrans("", "", string.punctuation)
RIGHT_LETTERS = "bce"
MAX_JUDGED = 4000
"""Characters of an answer that FanOutQA's judge sees."""


class PublishedPrompt(NamedTuple):
    """A judge's prompt; `read` returns the verdict of a reply, None if it has none."""

    template: str
    read: Callable[[str], bool | None]
    system: str = ""
    most: int | None = None


def read_grade(reply: str) -> bool | None:
    """Read LangChain's grade: after `GRADE:`, else the first word, else the last one."""
    if found := GRADE.search(reply):
        return found[1].upper() == "CORRECT"
    words = reply.split()
    for word in (words[0], words[-1]) if words else ():
        if (bare := word.translate(BARE).upper()) in {"CORRECT", "INCORRECT"}:
            return bare == "CORRECT"
    return None


def read_decision(reply: str) -> bool | None:
    """Read the last decision of FRAMES' judge."""
    found = DECISION.findall(reply)
    return found[-1].upper() == "TRUE" if found else None


def read_letter(reply: str) -> bool | None:
    """Read the letter at the end of a reply of FanOutQA's judge; B, C and E are right."""
    return reply.strip()[-1].lower() in RIGHT_LETTERS if reply.strip() else None


PUBLISHED: Mapping[str, PublishedPrompt] = {
    "webwalkerqa": PublishedPrompt(COT_QA, read_grade),
    "frames": PublishedPrompt(FRAMES, read_decision),
    "fanoutqa": PublishedPrompt(FACTUALITY, read_letter, FACTUALITY_SYSTEM, MAX_JUDGED),
}
"""The prompt of each set that is judged."""


class PublishedComparison(Frozen):
    """An answer and its reference for the judge of a set; `by_words` is a string metric's verdict.

    A published prompt has no fences: an answer can speak to the judge, as at the authors'.
    """

    set: str
    question: str
    reference: str
    answer: str
    by_words: bool

    def messages(self) -> tuple[ChatMessage, ...]:
        """The messages to the judge."""
        prompt = PUBLISHED[self.set]
        text = prompt.template.format(
            question=self.question, reference=self.reference, answer=self.answer[: prompt.most]
        )
        asked = ChatMessage(role="user", content=text)
        if not prompt.system:
            return (asked,)
        return (ChatMessage(role="system", content=prompt.system), asked)

    def read(self, reply: str) -> bool | None:
        """The verdict of a reply; None if it has none."""
        return PUBLISHED[self.set].read(reply)

    def digest(self) -> str:
        """Identifies the messages."""
        text = "\n".join(one.content for one in self.messages())
        return sha256(f"published\n{text}".encode()).hexdigest()
