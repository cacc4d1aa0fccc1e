// ONNX Runtime reads this variable once when it loads, so every module that imports it imports this one first.
process.env['ORT_DISABLE_TELEMETRY'] = '1';
