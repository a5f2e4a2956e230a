/** The most characters that a page can lay out quickly; of a longer text only the end is shown. */
export const MOST_SHOWN = 100_000;

/** The interval between two updates of the shown text, in milliseconds. */
const SHOW_EVERY_MS = 100;

/** Whether a response is a stream, by its content type. */
export function isStream(headers: Headers): boolean {
  return isStreamType(headers.get('content-type') ?? '');
}

export function isStreamType(contentType: string): boolean {
  return /^(?:application\/x-ndjson|text\/event-stream)\b/.test(contentType);
}

/**
 * Reads a response until it ends or is stopped, and shows what has arrived so far, starting with an empty text.
 *
 * @returns the text that is shown at the end.
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
    // The call was stopped or the connection was lost: the text so far is kept.
  } finally {
    clearTimeout(timer);
  }
  return text;
}

/** The end of a text that is too long, starting at the beginning of a line. */
function lastOf(text: string): string {
  if (text.length <= MOST_SHOWN) return text;
  const end = text.slice(-MOST_SHOWN);
  return end.slice(end.indexOf('\n') + 1);
}
