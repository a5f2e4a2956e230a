/** Milliseconds as the JSON of google.protobuf.Duration has them: `0.1s`. */
export function durationText(ms: number): string {
  return `${Number((ms / 1_000).toFixed(9))}s`;
}

/** The same as the object that grpc-js takes for it. */
export function durationParts(ms: number): { readonly seconds: number; readonly nanos: number } {
  const seconds = Math.floor(ms / 1_000);
  return { seconds, nanos: Math.round((ms - seconds * 1_000) * 1_000_000) };
}
