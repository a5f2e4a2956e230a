import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Readable } from 'node:stream';
import { Observable, Subject, firstValueFrom, of, take, throwError, toArray } from 'rxjs';
import { RecordedSpans, forgetSpans } from '../recorded-spans.fixture.js';
import { internal, query, within } from './work.fixture.js';
import { Traced } from './traced.js';

let spans: RecordedSpans;
beforeEach(() => {
  spans = new RecordedSpans();
});
afterEach(forgetSpans);

async function servedOutcomeOf(value: number, error?: Error): Promise<number> {
  if (error) throw error;
  return value;
}

/** As a query builder: it runs each time it is awaited, and never else. */
function queryOf(error?: Error, method = 'then'): PromiseLike<number> {
  let runs = 0;
  const run: Promise<number>['then'] = (fulfilled, rejected) => {
    query();
    runs++;
    return servedOutcomeOf(runs, error).then(fulfilled, rejected);
  };
  return { [method]: run } as unknown as PromiseLike<number>;
}

class Store {
  readonly changes = new Subject<number>();
  readonly query = queryOf();

  @Traced()
  find(): PromiseLike<number> {
    return this.query;
  }
  @Traced()
  fails(): PromiseLike<number> {
    return queryOf(new Error('no table'));
  }
  @Traced()
  async *rows(): AsyncGenerator<number> {
    for (let row = 1; row <= 3; row++) {
      query();
      yield row;
    }
  }
  @Traced()
  *lines(): Generator<number, void, number> {
    yield 1;
    throw new Error('torn');
  }
  @Traced()
  pages(): AsyncIterable<number> {
    return { [Symbol.asyncIterator]: () => this.plainRows() };
  }
  readonly shared = this.pages();
  @Traced()
  sharedPages(): AsyncIterable<number> {
    return this.shared;
  }
  async *plainRows(): AsyncGenerator<number> {
    query();
    yield 1;
  }
  @Traced()
  watch(): Observable<number> {
    return new Observable((subscriber) => {
      query();
      for (let n = 1; n <= 3 && !subscriber.closed; n++) subscriber.next(n);
      subscriber.complete();
    });
  }
  @Traced()
  breaks(): Observable<never> {
    return throwError(() => new Error('gone'));
  }
  @Traced()
  never(): Observable<never> {
    return new Observable(() => {});
  }
  @Traced()
  subject(): Subject<number> {
    return this.changes;
  }
  @Traced()
  list(): readonly number[] {
    return [1, 2];
  }
  @Traced()
  stream(): Readable {
    return Readable.from(['a']);
  }
  @Traced()
  cancellable(): Promise<number> & { cancel(): void } {
    return Object.assign(Promise.resolve(1), { cancel() {} });
  }
}

const ended = (path: string): number =>
  spans.pathsAsEnded.filter((each) => each === internal(path)).length;

describe('the span of a method that returns a thenable', () => {
  it('is never begun by a run of its own', () => {
    const store = new Store();
    within(() => expect(store.find()).toBe(store.query));
    expect(spans.pathsAsEnded).toEqual(['root'].map(internal));
  });

  it('is one for each time that it is awaited', async () => {
    const store = new Store();
    const kept = await within(async () => {
      const builder = { query: store.find() };
      expect(await builder.query).toBe(1);
      query();
      expect(await builder.query).toBe(2);
      store.find();
      return builder;
    });
    expect(ended('root > Store.find > query')).toBe(2);
    expect(ended('root > Store.find')).toBe(3);
    expect(ended('root > query')).toBe(1);
    // Outside of a trace it runs as ever.
    expect(await kept.query).toBe(3);
    expect(ended('query')).toBe(1);
  });

  it('fails with it, and calls handlers in the context of their caller', async () => {
    const store = new Store();
    await within(() =>
      Promise.resolve(store.fails().then(null, (error: Error) => (query(), error.message))).then(
        (text) => expect(text).toBe('no table'),
      ),
    );
    expect(ended('root > query')).toBe(1);
    const [failed] = spans.summaries.filter(({ name }) => name === 'Store.fails');
    expect(failed).toMatchObject({ status: 'ERROR', exceptions: 1 });
  });
});

describe('the span of a method that returns a promise', () => {
  it('leaves a promise with something of its own what it is', async () => {
    await within(async () => {
      const promise = new Store().cancellable();
      expect(promise).toHaveProperty('cancel');
      expect(await promise).toBe(1);
    });
    expect(ended('root > Store.cancellable')).toBe(1);
  });
});

describe('the span of an iteration', () => {
  it('lasts from the first step to the last, and is active in each', async () => {
    await within(async () => {
      for await (const row of new Store().rows()) if (row < 3) query();
    });
    expect(ended('root > Store.rows > query')).toBe(3);
    expect(ended('root > query')).toBe(2);
    expect(ended('root > Store.rows')).toBe(1);
  });

  it('ends where the reader leaves', async () => {
    await within(async () => {
      for await (const _ of new Store().rows()) break;
      expect(ended('Store.rows')).toBe(1);
    });
  });

  it('fails with a step', () => {
    within(() => {
      const lines = new Store().lines();
      expect(lines.next()).toEqual({ value: 1, done: false });
      expect(() => lines.next()).toThrow('torn');
      expect(lines.next()).toEqual({ value: undefined, done: true });
    });
    expect(spans.summaries[0]).toMatchObject({ name: 'Store.lines', exceptions: 1 });
    expect(ended('root > Store.lines ERROR Error')).toBe(1);
  });

  it('is one for each time that a sequence is read', async () => {
    await within(async () => {
      const pages = new Store().pages();
      for await (const _ of pages);
      for await (const _ of pages);
    });
    expect(ended('root > Store.pages > query')).toBe(2);
    expect(ended('root > Store.pages')).toBe(2);
  });

  it('is one for each time that a sequence is read, however often it was returned', async () => {
    await within(async () => {
      const store = new Store();
      for (let call = 0; call < 3; call++) store.sharedPages();
      for await (const _ of store.shared);
      for await (const _ of store.shared);
    });
    expect(ended('root > Store.sharedPages')).toBe(4);
  });

  it('ends at once for what is only iterable, and for streams', () => {
    within(() => {
      expect([...new Store().list()]).toEqual([1, 2]);
      expect(new Store().stream()).toBeInstanceOf(Readable);
      expect(spans.summaries.map(({ name }) => name)).toEqual(['Store.list', 'Store.stream']);
    });
  });
});

describe('the span of an Observable', () => {
  it('is one for each subscription, and is active in it', async () => {
    await within(async () => {
      const watch = new Store().watch();
      expect(await firstValueFrom(watch.pipe(toArray()))).toEqual([1, 2, 3]);
      expect(await firstValueFrom(watch.pipe(take(1), toArray()))).toEqual([1]);
    });
    expect(ended('root > Store.watch > query')).toBe(2);
    expect(ended('root > Store.watch')).toBe(2);
  });

  it('fails with it', async () => {
    await expect(within(() => firstValueFrom(new Store().breaks()))).rejects.toThrow('gone');
    expect(spans.summaries[0]).toMatchObject({ name: 'Store.breaks', exceptions: 1 });
  });

  it('ends when nobody listens any more', () => {
    within(() => {
      const subscription = new Store().never().subscribe();
      expect(spans.pathsAsEnded).toEqual([]);
      subscription.unsubscribe();
      expect(spans.summaries.map(({ name }) => name)).toEqual(['Store.never']);
    });
  });

  it('ends at once for a subject, which others write to', () => {
    const store = new Store();
    within(() => {
      expect(store.subject()).toBe(store.changes);
      expect(spans.summaries.map(({ name }) => name)).toEqual(['Store.subject']);
    });
  });

  it('leaves Observables alone outside of a trace', async () => {
    expect(await firstValueFrom(new Store().watch().pipe(toArray()))).toEqual([1, 2, 3]);
    expect(await firstValueFrom(of(1))).toBe(1);
    expect(spans.pathsAsEnded).toEqual(['query'].map(internal));
  });
});
