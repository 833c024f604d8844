"""Programs with two known mistakes, written apart from the library, in four styles of code.

A program is a list of steps, each a name and an expression; a mistake puts another expression in
one step's place. From the steps the styles are made: statements, one expression, a function a step,
and a dict that holds every step.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations, product

Step = tuple[str, str]
_NAME = re.compile(r"(?<![\w.])[A-Za-z_]\w*")


@dataclass(frozen=True)
class Plan:
    """An exercise's right program as steps, the last one returned, and wrong steps by slug."""

    slug: str
    signature: str
    steps: tuple[Step, ...]
    wrong: dict[str, dict[str, str]]
    one: dict[frozenset[str], str] = field(default_factory=dict)
    """Two mistakes that together are one other known mistake."""

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names of the entry point's parameters."""
        return tuple(re.findall(r"(\w+)(?:=[^,)]*)?[,)]", self.signature.partition("(")[2]))

    def pairs(self) -> Iterator[tuple[str, str]]:
        """Every two mistakes of different steps."""
        for one, other in combinations(self.wrong, 2):
            for a in self.wrong[one]:
                for b in self.wrong[other]:
                    yield a, b

    def triples(self) -> Iterator[tuple[str, str, str]]:
        """Every three mistakes of different steps."""
        for steps in combinations(self.wrong, 3):
            for slugs in product(*(self.wrong[step] for step in steps)):
                yield slugs[0], slugs[1], slugs[2]

    def with_slips(self, *slugs: str) -> tuple[Step, ...]:
        """The steps with these mistakes in them."""
        found = {
            step: wrong[slug]
            for step, wrong in self.wrong.items()
            for slug in slugs
            if slug in wrong
        }
        return tuple((name, found.get(name, right)) for name, right in self.steps)


def statements(plan: Plan, steps: tuple[Step, ...]) -> str:
    """A line a step."""
    lines = [f"    {name} = {made}" for name, made in steps[:-1]]
    return _program(plan, [*lines, f"    return {steps[-1][1]}"])


def one_expression(plan: Plan, steps: tuple[Step, ...]) -> str:
    """Everything in one return."""
    made: dict[str, str] = {}
    for name, text in steps:
        made[name] = _NAME.sub(lambda m: f"({made[m[0]]})" if m[0] in made else m[0], text)
    return _program(plan, [f"    return {made[steps[-1][0]]}"])


def functions(plan: Plan, steps: tuple[Step, ...]) -> str:
    """A function a step, which is given what it reads."""
    known = [*plan.parameters, *(name for name, _ in steps)]
    heads, lines = [], []
    for name, made in steps:
        reads = ", ".join(n for n in known if n in _NAME.findall(made))
        heads.append(f"def make_{name}({reads}):\n    return {made}\n")
        lines.append(f"    {name} = make_{name}({reads})")
    return "\n".join(heads) + _program(plan, [*lines, f"    return {steps[-1][0]}"])


def in_a_dict(plan: Plan, steps: tuple[Step, ...]) -> str:
    """Every step under its name in a dict."""
    names = {name for name, _ in steps}
    lines = ["    kept = {}"]
    for name, made in steps:
        text = _NAME.sub(lambda m: f'kept["{m[0]}"]' if m[0] in names else m[0], made)
        lines.append(f'    kept["{name}"] = {text}')
    return _program(plan, [*lines, f'    return kept["{steps[-1][0]}"]'])


def _program(plan: Plan, lines: list[str]) -> str:
    return "\n".join([f"def {plan.signature}:", *lines, ""])


STYLES = (statements, one_expression, functions, in_a_dict)

_POWERS = "np.exp(scores - top)"
_ROWS = "powers.sum(axis=-1, keepdims=True)"
_SCALES = {
    "no_scale": "products * 1.0",
    "scale_dk": "products / K.shape[1]",
    "scale_multiply": "products * np.sqrt(K.shape[1])",
    "scale_nk": "products / np.sqrt(len(K))",
}

ATTENTION = Plan(
    "scaled-dot-product-attention",
    "scaled_dot_product_attention(Q, K, V)",
    (
        ("products", "Q @ K.T"),
        ("scores", "products / np.sqrt(K.shape[1])"),
        ("top", "scores.max(axis=-1, keepdims=True)"),
        ("powers", _POWERS),
        ("total", _ROWS),
        ("weights", "powers / total"),
        ("output", "weights @ V"),
    ),
    {
        "scores": _SCALES,
        "total": {"softmax_of_everything": "powers.sum()", "one_in_denominator": f"1.0 + {_ROWS}"},
        "output": {"averages_keys": "weights @ K", "returns_weights": "weights * 1.0"},
    },
)

LAYER = Plan(
    "multi-head-attention-layer",
    "multi_head_attention_layer(x_q, x_kv, W_Q, W_K, W_V, W_O, num_heads)",
    (
        ("q", "(x_q @ W_Q).reshape(len(x_q), num_heads, -1).transpose(1, 0, 2)"),
        ("k", "(x_kv @ W_K).reshape(len(x_kv), num_heads, -1).transpose(1, 0, 2)"),
        ("v", "(x_kv @ W_V).reshape(len(x_kv), num_heads, -1).transpose(1, 0, 2)"),
        ("scores", "q @ k.transpose(0, 2, 1) / np.sqrt(q.shape[-1])"),
        ("powers", "np.exp(scores - scores.max(axis=-1, keepdims=True))"),
        ("total", _ROWS),
        ("weights", "powers / total"),
        ("merged", "(weights @ v).transpose(1, 0, 2).reshape(len(x_q), -1)"),
        ("output", "merged @ W_O"),
    ),
    {
        "scores": {
            "no_scale": "q @ k.transpose(0, 2, 1)",
            "scale_no_root": "q @ k.transpose(0, 2, 1) / q.shape[-1]",
            "scale_dmodel": "q @ k.transpose(0, 2, 1) / np.sqrt(x_q.shape[1])",
        },
        "total": {"one_in_denominator": f"1.0 + {_ROWS}"},
        "merged": {"merge_without_transpose": "(weights @ v).reshape(len(x_q), -1)"},
        "output": {"wo_transposed": "merged @ W_O.T", "no_output_projection": "merged + 0.0"},
    },
)

_BENT = "np.sqrt(2.0 / np.pi) * (up + 0.044715 * up**3)"
NETWORK = Plan(
    "feed-forward",
    "feed_forward(x, W_up, W_down, W_gate=None)",
    (
        ("up", "x @ W_up"),
        ("bent", f"0.5 * up * (1.0 + np.tanh({_BENT}))"),
        ("gate", "0.0 if W_gate is None else x @ W_gate"),
        ("valve", "gate * 0.5 * (1.0 + np.tanh(0.5 * gate))"),
        ("hidden", "bent if W_gate is None else valve * up"),
        ("output", "hidden @ W_down"),
    ),
    {
        "bent": {
            "missing_half": f"up * (1.0 + np.tanh({_BENT}))",
            "relu": "np.maximum(up, 0.0)",
            "no_activation": "up * 1.0",
            "missing_factor_z": f"0.5 * (1.0 + np.tanh({_BENT}))",
        },
        "valve": {
            "sigmoid_gate": "0.5 * (1.0 + np.tanh(0.5 * gate))",
            "no_activation_on_gate": "gate * 1.0",
        },
        "hidden": {"branches_added": "bent if W_gate is None else valve + up"},
        "output": {"residual_added": "hidden @ W_down + x"},
    },
)

ROTARY = Plan(
    "rotary-embedding",
    "apply_rope(x, positions, base=10000.0)",
    (
        ("theta", "base ** (-np.arange(0, x.shape[-1], 2) / x.shape[-1])"),
        ("angles", "positions[:, None] * theta"),
        ("even", "x[..., 0::2] * np.cos(angles) - x[..., 1::2] * np.sin(angles)"),
        ("odd", "x[..., 0::2] * np.sin(angles) + x[..., 1::2] * np.cos(angles)"),
        ("output", "np.stack([even, odd], axis=-1).reshape(x.shape)"),
    ),
    {
        "theta": {
            "frequency_per_index": "base ** (-np.arange(x.shape[-1] // 2) / x.shape[-1])",
            "frequency_grows": "base ** (np.arange(0, x.shape[-1], 2) / x.shape[-1])",
            "ignores_base": "10000.0 ** (-np.arange(0, x.shape[-1], 2) / x.shape[-1])",
        },
        "angles": {
            "counts_from_one": "(positions[:, None] + 1) * theta",
            "angles_in_degrees": "np.deg2rad(positions[:, None] * theta)",
            "backwards": "-positions[:, None] * theta",
        },
        "even": {"no_minus_sign": "x[..., 0::2] * np.cos(angles) + x[..., 1::2] * np.sin(angles)"},
        "output": {"concatenates": "np.concatenate([even, odd], axis=-1)"},
    },
    {frozenset({"backwards", "no_minus_sign"}): "minus_in_both"},
)

PLANS = (ATTENTION, LAYER, NETWORK, ROTARY)
