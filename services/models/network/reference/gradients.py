"""What PyTorch makes of the example beside this file: loss, gradients, and parameters after steps of AdamW, in float64.

From the project's folder, with PyTorch (Debian: python3-torch; written with 1.13):

    node services/models/network/reference/example.suite.ts |
      python3 services/models/network/reference/gradients.py > services/models/network/reference/gradients.json
    npx oxfmt services/models/network/reference/gradients.json
"""

import json
import sys

import torch
from torch.nn import functional as F

example = json.load(sys.stdin)
spec, batch, adamw = example["spec"], example["batch"], example["adamw"]
days, hidden = spec["sequence_length"], spec["hidden_channels"]


def tensor(values, shape):
    return torch.tensor(values, dtype=torch.float64).reshape(shape)


parameters = {
    entry["name"]: tensor(
        example["parameters"][entry["offset"] : entry["offset"] + entry["size"]], entry["shape"]
    ).requires_grad_()
    for entry in example["layout"]
}
x = tensor(example["x"], (batch, days, spec["features"]))
y = tensor(example["y"], (batch, 2))


def kept(mask, block):
    """Factors of a branch. Of the last block there are masks of the last day only: no other day of it is read."""
    last = block == spec["layers"] - 1
    factors = torch.ones(batch, days, hidden, dtype=torch.float64)
    given = tensor(mask["values"], (batch, 1 if last else days, hidden)) / (1 - spec["dropout"])
    factors[:, -given.shape[1] :] = given
    return factors


def linear(name, rows):
    return rows @ parameters[f"{name}.weight"] + parameters[f"{name}.bias"]


def norm(name, rows):
    return F.layer_norm(rows, (hidden,), parameters[f"{name}.gain"], parameters[f"{name}.bias"])


def attention(name, rows):
    """PyTorch's own; it takes weights as outputs x inputs, and days before windows."""
    by_day = rows.transpose(0, 1)
    heard, _ = F.multi_head_attention_forward(
        by_day, by_day, by_day, hidden, spec["num_heads"],
        parameters[f"{name}.qkv.weight"].T, parameters[f"{name}.qkv.bias"], None, None, False, 0.0,
        parameters[f"{name}.output.weight"].T, parameters[f"{name}.output.bias"],
    )  # fmt: skip
    return heard.transpose(0, 1)


def network():
    masks = iter(example["masks"])
    stream = linear("input", x) + parameters["positions"]
    for block in range(spec["layers"]):
        name = f"block{block}.attention"
        stream = stream + attention(name, norm(f"{name}.norm", stream)) * kept(next(masks), block)
        name = f"block{block}.feedforward"
        wide = F.relu(linear(f"{name}.wide", norm(f"{name}.norm", stream)))
        stream = stream + linear(f"{name}.output", wide) * kept(next(masks), block)
    return linear("head", norm("norm", stream[:, -1]))


def vector(tensors):
    """To nine digits, and nothing below 1e-12: that is rounding, and differs from run to run."""
    values = (value for each in tensors for value in each.detach().flatten().tolist())
    return [float(f"{value:.9g}") if abs(value) > 1e-12 else 0 for value in values]


def decaying(wanted):
    return [parameters[entry["name"]] for entry in example["layout"] if entry["decay"] == wanted]


optimizer = torch.optim.AdamW(
    [
        {"params": decaying(True), "weight_decay": adamw["weightDecay"]},
        {"params": decaying(False), "weight_decay": 0},
    ],
    betas=(adamw["beta1"], adamw["beta2"]),
    eps=adamw["epsilon"],
)
result = {"losses": [], "norms": []}
for rate in example["rates"]:
    loss = F.mse_loss(network(), y)
    optimizer.zero_grad()
    loss.backward()
    result.setdefault("gradient", vector(each.grad for each in parameters.values()))
    length = torch.nn.utils.clip_grad_norm_(parameters.values(), adamw["clip"])
    for group in optimizer.param_groups:
        group["lr"] = rate
    optimizer.step()
    result["losses"] += vector([loss])
    result["norms"] += vector([length])
result["parameters"] = vector(parameters.values())
print(json.dumps(result, separators=(",", ":")))
