import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Readable } from 'node:stream';
import { SpanStatusCode } from '@opentelemetry/api';
import { Observable, Subject, firstValueFrom, of, take, throwError, toArray } from 'rxjs';
import { TestTraces } from './spans.fixture.js';
import { Traced } from './traced.js';

let traces: TestTraces;
beforeEach(() => {
  traces = new TestTraces();
});
afterEach(() => traces.close());

async function outcomeOf(value: number, error?: Error): Promise<number> {
  if (error) throw error;
  return value;
}

/** As a query builder: it runs each time it is awaited, and never else. */
function queryOf(error?: Error, method = 'then'): PromiseLike<number> {
  let runs = 0;
  const run: Promise<number>['then'] = (fulfilled, rejected) => {
    traces.query();
    runs++;
    return outcomeOf(runs, error).then(fulfilled, rejected);
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
      traces.query();
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
  async *plainRows(): AsyncGenerator<number> {
    traces.query();
    yield 1;
  }
  @Traced()
  watch(): Observable<number> {
    return new Observable((subscriber) => {
      traces.query();
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

const names = (name: string): number => traces.edges.filter((edge) => edge === name).length;

describe('the span of a method that returns a thenable', () => {
  it('is never begun by a run of its own', () => {
    const store = new Store();
    traces.within(() => expect(store.find()).toBe(store.query));
    expect(traces.edges).toEqual(['root']);
  });

  it('is one for each time that it is awaited', async () => {
    const store = new Store();
    const query = await traces.within(async () => {
      const builder = { query: store.find() };
      expect(await builder.query).toBe(1);
      traces.query();
      expect(await builder.query).toBe(2);
      store.find();
      return builder;
    });
    expect(names('Store.find > query')).toBe(2);
    expect(names('root > Store.find')).toBe(3);
    expect(names('root > query')).toBe(1);
    // Outside of a trace it runs as ever.
    expect(await query.query).toBe(3);
    expect(names('query')).toBe(1);
  });

  it('fails with it, and calls handlers in the context of their caller', async () => {
    const store = new Store();
    await traces.within(() =>
      Promise.resolve(
        store.fails().then(null, (error: Error) => (traces.query(), error.message)),
      ).then((text) => expect(text).toBe('no table')),
    );
    expect(names('root > query')).toBe(1);
    const [failed] = traces.spans.filter(({ name }) => name === 'Store.fails');
    expect(failed).toMatchObject({ status: SpanStatusCode.ERROR, exceptions: 1 });
  });
});

describe('the span of a method that returns a promise', () => {
  it('leaves a promise with something of its own what it is', async () => {
    await traces.within(async () => {
      const promise = new Store().cancellable();
      expect(promise).toHaveProperty('cancel');
      expect(await promise).toBe(1);
    });
    expect(names('root > Store.cancellable')).toBe(1);
  });
});

describe('the span of an iteration', () => {
  it('lasts from the first step to the last, and is active in each', async () => {
    await traces.within(async () => {
      for await (const row of new Store().rows()) if (row < 3) traces.query();
    });
    expect(names('Store.rows > query')).toBe(3);
    expect(names('root > query')).toBe(2);
    expect(names('root > Store.rows')).toBe(1);
  });

  it('ends where the reader leaves', async () => {
    await traces.within(async () => {
      for await (const _ of new Store().rows()) break;
      expect(names('Store.rows')).toBe(1);
    });
  });

  it('fails with a step', () => {
    traces.within(() => {
      const lines = new Store().lines();
      expect(lines.next()).toEqual({ value: 1, done: false });
      expect(() => lines.next()).toThrow('torn');
      expect(lines.next()).toEqual({ value: undefined, done: true });
    });
    expect(traces.spans[0]).toMatchObject({ name: 'Store.lines', exceptions: 1 });
    expect(names('root > Store.lines')).toBe(1);
  });

  it('is one for each time that a sequence is read', async () => {
    await traces.within(async () => {
      const pages = new Store().pages();
      for await (const _ of pages);
      for await (const _ of pages);
    });
    expect(names('Store.pages > query')).toBe(2);
    expect(names('root > Store.pages')).toBe(2);
  });

  it('ends at once for what is only iterable, and for streams', () => {
    traces.within(() => {
      expect([...new Store().list()]).toEqual([1, 2]);
      expect(new Store().stream()).toBeInstanceOf(Readable);
      expect(traces.spans.map(({ name }) => name)).toEqual(['Store.list', 'Store.stream']);
    });
  });
});

describe('the span of an Observable', () => {
  it('is one for each subscription, and is active in it', async () => {
    await traces.within(async () => {
      const watch = new Store().watch();
      expect(await firstValueFrom(watch.pipe(toArray()))).toEqual([1, 2, 3]);
      expect(await firstValueFrom(watch.pipe(take(1), toArray()))).toEqual([1]);
    });
    expect(names('Store.watch > query')).toBe(2);
    expect(names('root > Store.watch')).toBe(2);
  });

  it('fails with it', async () => {
    await expect(traces.within(() => firstValueFrom(new Store().breaks()))).rejects.toThrow('gone');
    expect(traces.spans[0]).toMatchObject({ name: 'Store.breaks', exceptions: 1 });
  });

  it('ends when nobody listens any more', () => {
    traces.within(() => {
      const subscription = new Store().never().subscribe();
      expect(traces.edges).toEqual([]);
      subscription.unsubscribe();
      expect(traces.spans.map(({ name }) => name)).toEqual(['Store.never']);
    });
  });

  it('ends at once for a subject, which others write to', () => {
    const store = new Store();
    traces.within(() => {
      expect(store.subject()).toBe(store.changes);
      expect(traces.spans.map(({ name }) => name)).toEqual(['Store.subject']);
    });
  });

  it('leaves Observables alone outside of a trace', async () => {
    expect(await firstValueFrom(new Store().watch().pipe(toArray()))).toEqual([1, 2, 3]);
    expect(await firstValueFrom(of(1))).toBe(1);
    expect(traces.edges).toEqual(['query']);
  });
});
