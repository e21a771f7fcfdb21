/** A logger that keeps what it is told. */
export function recordingLogger() {
  const lines: {
    readonly level: 'info' | 'error';
    readonly message: string;
    readonly [key: string]: unknown;
  }[] = [];
  const at =
    (level: 'info' | 'error') =>
    (message: string, extra: Readonly<Record<string, unknown>>): void => {
      lines.push({ ...extra, level, message });
    };
  return { lines, info: at('info'), error: at('error') };
}
