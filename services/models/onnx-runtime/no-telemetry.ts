// ONNX Runtime reads it once, when it loads: whatever imports it imports this before it.
process.env['ORT_DISABLE_TELEMETRY'] = '1';
