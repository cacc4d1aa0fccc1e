/** The variables that a process needs to find its libraries and its temporary files. */
const PASSED_ON = ['PATH', 'HOME', 'TMPDIR', 'TEMP', 'TMP', 'LD_LIBRARY_PATH', 'SystemRoot'];

/**
 * The environment of a process that loads ONNX Runtime: only the variables that are named here and in `also`, without
 * the service's settings and keys. ONNX Runtime would send usage reports unless this is turned off before it is loaded.
 */
export function onnxEnvironment(also: readonly string[]): NodeJS.ProcessEnv {
  const passed = [...PASSED_ON, ...also].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  });
  return { ...Object.fromEntries(passed), ORT_DISABLE_TELEMETRY: '1' };
}
