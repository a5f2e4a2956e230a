/** More than a page can lay out quickly, in characters; of what is longer the end is shown. */
export const MOST_SHOWN = 100_000;

/** Between two looks at what has come, in milliseconds. */
const SHOW_EVERY_MS = 100;

/** Whether an answer goes on until somebody ends it. */
export function isStream(headers: Headers): boolean {
  return /^(?:application\/x-ndjson|text\/event-stream)\b/.test(headers.get('content-type') ?? '');
}

/**
 * Reads an answer to its end, or until it is stopped, and shows what has come so far, first of all that it began.
 *
 * @returns everything that is shown in the end.
 */
export async function readStream(
  body: ReadableStream<Uint8Array>,
  show: (text: string) => void,
): Promise<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let timer: ReturnType<typeof setTimeout> | undefined;
  show(text);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      text = lastOf(text + decoder.decode(value, { stream: true }));
      timer ??= setTimeout(() => {
        timer = undefined;
        show(text);
      }, SHOW_EVERY_MS);
    }
  } catch {
    // It was stopped, or the connection was lost: what has come stays.
  } finally {
    clearTimeout(timer);
  }
  return text;
}

/** The end of a text that is too long, from the beginning of a line. */
function lastOf(text: string): string {
  if (text.length <= MOST_SHOWN) return text;
  const end = text.slice(-MOST_SHOWN);
  return end.slice(end.indexOf('\n') + 1);
}
