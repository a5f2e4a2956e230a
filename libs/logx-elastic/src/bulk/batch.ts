/** Events that are sent together, as the body of a bulk request. */
export interface Batch {
  /** For each event an action line and the line of the event, each ending in a line break. */
  readonly body: Buffer;
  /** How many events. */
  readonly count: number;
}

const LINE_BREAK = 10;

/** The line before each event (Elasticsearch, bulk API). */
export function actionLine(action: 'index' | 'create'): string {
  return `{"${action}":{}}\n`;
}

/** The batch with only the events at these positions, which must be in ascending order. */
export function pickEvents(batch: Batch, positions: readonly number[]): Batch {
  const parts: Buffer[] = [];
  let position = 0;
  let start = 0;
  for (const wanted of positions) {
    start = skipEvents(batch.body, start, wanted - position);
    const end = skipEvents(batch.body, start, 1);
    parts.push(batch.body.subarray(start, end));
    start = end;
    position = wanted + 1;
  }
  return { body: Buffer.concat(parts), count: parts.length };
}

/** Splits a batch with at least two events into two. */
export function halvesOf({ body, count }: Batch): readonly [Batch, Batch] {
  const first = count >> 1;
  const middle = skipEvents(body, 0, first);
  return [
    { body: body.subarray(0, middle), count: first },
    { body: body.subarray(middle), count: count - first },
  ];
}

export function joined(first: Batch, second: Batch): Batch {
  return {
    body: Buffer.concat([first.body, second.body]),
    count: first.count + second.count,
  };
}

function skipEvents(body: Buffer, start: number, events: number): number {
  let at = start;
  for (let lines = 2 * events; lines > 0; lines--) at = body.indexOf(LINE_BREAK, at) + 1;
  return at;
}
