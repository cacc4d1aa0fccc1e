/** A line that begins or ends code. */
const FENCE = /^\s*(?:`{3}|~{3})/u;

/** Lines that only programs write. */
const WRITTEN: readonly RegExp[] = [
  // A time, an address or a level, as a log has them.
  /^[\s[(<"']*(?:\d{4}[-/.]\d\d[-/.]\d\d[T ,]+\d\d:\d\d|\d\d:\d\d:\d\d|[A-Z][a-z]{2}\s+\d{1,2}\s+\d\d:\d\d:\d\d|\d{1,3}(?:\.\d{1,3}){3}\s)/u,
  /^\s*[[(<]?(?:ERROR|ERR|WARN(?:ING)?|INFO|DEBUG|TRACE|FATAL|CRITICAL|SEVERE|NOTICE)[\])>]?[:\s]/u,
  /^\s*(?:[\w.-]+=(?:"[^"]*"|[^\s"]*)(?:\s+|$)){2,}/u,
  // JSON
  /^\s*(?:[{}[\]]+[,;]?\s*$|\[?\{.*\}\]?,?\s*$|"[^"]*"\s*:\s)/u,
  // An exception, and the calls that led to it.
  /^\s*(?:Traceback \(|File "[^"]*", line \d|\.{3} \d+ more|Caused by: |Exception in |Unhandled exception|panic: |goroutine \d|thread ')/u,
  /^(?:[\w$]+\.)*[\w$]*(?:Error|Exception|Warning)(?::|\s*$)|^\s+at\s\S|^at\s\S+\(|^\S*[/\\]\S+:\d+/u,
  // A command typed at a prompt.
  /^\s*(?:[$%]\s\S|PS [A-Z]:|[A-Z]:\\|\S+@\S+:\S*[$#]\s)/u,
];

const isWritten = (line: string): boolean => FENCE.test(line) || WRITTEN.some((form) => form.test(line));

/**
 * The lines that a person has written among those of programs: logs, traces of calls, JSON, code between fences. Lines
 * that are indented below such a line belong to it, and so does a line that introduces it (`Beim Import kommt:`).
 */
export function linesOfPeople(lines: readonly string[]): string[] {
  const own: string[] = [];
  let isFenced = false;
  let isBelow = false;
  for (const line of lines) {
    const isOutput: boolean = isFenced || isWritten(line) || (isBelow && /^\s+\S/u.test(line));
    if (isOutput && !isBelow && own.at(-1)?.trim().endsWith(':') === true) own.pop();
    if (FENCE.test(line)) isFenced = !isFenced;
    if (!isOutput) own.push(line);
    isBelow = isOutput;
  }
  return own;
}
