import 'reflect-metadata';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Controller, Get, Header, SetMetadata, UseGuards } from '@nestjs/common';
import { AlwaysOffSampler } from '@opentelemetry/sdk-trace';
import { context, trace } from '@opentelemetry/api';
import { OtelError } from '../errors.js';
import { RecordedSpans, forgetSpans } from '../recorded-spans.fixture.js';
import { internal, query, within } from './work.fixture.js';
import { Traced } from './traced.js';

let spans: RecordedSpans;
beforeEach(() => {
  spans = new RecordedSpans();
});
afterEach(forgetSpans);

class Unsound extends Error {
  override readonly name = 'Unsound';
}

class Orders {
  readonly #rate = 2;

  @Traced()
  total(count: number): number {
    query();
    return count * this.#rate;
  }

  @Traced({ name: 'place order', attributes: { tier: 'gold' } })
  async place(id: string): Promise<string> {
    await Promise.resolve();
    query();
    return id;
  }

  @Traced({ attributes: (id: string) => ({ 'app.order.id': id }) })
  find(id: string): string {
    return id;
  }

  @Traced({
    attributes: () => {
      throw new Error('no attributes');
    },
  })
  odd(): number {
    return 1;
  }

  @Traced({ root: true })
  poll(): void {
    query();
  }

  @Traced()
  static parse(text: string): number {
    return Number(text);
  }
}

describe('a call of a method with @Traced()', () => {
  it('is a span below the active one, and is active itself', () => {
    expect(within(() => new Orders().total(3))).toBe(6);
    expect(spans.pathsAsEnded).toEqual(
      ['root > Orders.total > query', 'root > Orders.total', 'root'].map(internal),
    );
    expect(spans.summaries[1]).toMatchObject({
      status: 'UNSET',
      attributes: { 'code.function.name': 'Orders.total' },
    });
  });

  it('lasts until its promise is settled, which stays a promise for the same', async () => {
    await expect(within(() => new Orders().place('o1'))).resolves.toBe('o1');
    expect(spans.pathsAsEnded).toEqual(
      ['root > place order > query', 'root > place order', 'root'].map(internal),
    );
    expect(spans.summaries[1]!.attributes).toEqual({
      'code.function.name': 'Orders.place',
      tier: 'gold',
    });
  });

  it('says of its arguments what a function makes of them, and nothing by itself', () => {
    within(() => new Orders().find('o1'));
    expect(spans.summaries[0]!.attributes).toEqual({
      'code.function.name': 'Orders.find',
      'app.order.id': 'o1',
    });
  });

  it('does not fail with the function of its attributes', () => {
    expect(within(() => new Orders().odd())).toBe(1);
    expect(spans.all[0]!.events).toMatchObject([
      { name: 'attributes failed', attributes: { 'exception.message': 'no attributes' } },
    ]);
  });

  it('is traced on static methods too', () => {
    expect(within(() => Orders.parse('7'))).toBe(7);
    expect(spans.pathsAsEnded).toEqual(['root > Orders.parse', 'root'].map(internal));
  });

  it('makes no span outside of a trace, unless it is to begin one', () => {
    expect(new Orders().total(3)).toBe(6);
    expect(spans.pathsAsEnded).toEqual(['query'].map(internal));
    spans.reset();
    new Orders().poll();
    expect(spans.pathsAsEnded).toEqual(['Orders.poll > query', 'Orders.poll'].map(internal));
  });

  it('makes no span below one that is not recorded', () => {
    spans = new RecordedSpans(new AlwaysOffSampler());
    within(() => {
      const active = trace.getActiveSpan();
      new Orders().poll();
      expect(trace.getActiveSpan()).toBe(active);
    });
    expect(spans.pathsAsEnded).toEqual([]);
  });

  it('continues the trace of a caller in another process that is sampled, and no other', () => {
    const caller = (traceFlags: number): void => {
      const remote = {
        traceId: '1'.repeat(32),
        spanId: '2'.repeat(16),
        traceFlags,
        isRemote: true,
      };
      context.with(trace.setSpanContext(context.active(), remote), () => new Orders().find('o1'));
    };
    caller(0);
    expect(spans.pathsAsEnded).toEqual([]);
    caller(1);
    expect(spans.all[0]!.spanContext().traceId).toBe('1'.repeat(32));
  });
});

describe('an error', () => {
  class Store {
    @Traced()
    async read(): Promise<void> {
      throw new Unsound('no such row');
    }
    @Traced()
    open(): void {
      throw new Unsound('no file');
    }
  }
  class Service {
    @Traced()
    async read(): Promise<void> {
      await new Store().read();
    }
  }

  it('is an exception of the innermost span and a failure of all, and is thrown on', async () => {
    await expect(within(() => new Service().read())).rejects.toThrow('no such row');
    const [store, service] = spans.summaries;
    expect(store).toMatchObject({
      name: 'Store.read',
      status: 'ERROR',
      exceptions: 1,
    });
    expect(service).toMatchObject({
      name: 'Service.read',
      status: 'ERROR',
      exceptions: 0,
      attributes: { 'error.type': 'Unsound' },
    });
  });

  it('is thrown at once by a method that is not asynchronous', () => {
    expect(() => within(() => new Store().open())).toThrow(Unsound);
    expect(spans.summaries[0]).toMatchObject({ name: 'Store.open', exceptions: 1 });
  });

  it('is an exception again in another trace', () => {
    const shared = new Unsound('always the same');
    class Gate {
      @Traced()
      pass(): void {
        throw shared;
      }
    }
    for (let i = 0; i < 2; i++) expect(() => within(() => new Gate().pass())).toThrow(shared);
    expect(spans.summaries.map(({ exceptions }) => exceptions)).toEqual([1, 1]);
  });
});

describe('@Traced() among the decorators of Nest', () => {
  const guard = { canActivate: () => true };

  @Controller()
  class Reports {
    @Traced()
    @Get('above')
    @Header('x-a', '1')
    @UseGuards(guard)
    above(): void {}

    @Get('below')
    @Header('x-a', '1')
    @UseGuards(guard)
    @Traced()
    below(): void {}

    @Header('x-a', '1')
    @Traced()
    @UseGuards(guard)
    @Get('between')
    @UseGuards(guard)
    between(): void {}
  }

  it.each(['above', 'below', 'between'] as const)('keeps name and metadata: %s', (name) => {
    const method = Reports.prototype[name];
    expect(method.name).toBe(name);
    expect(Reflect.getMetadata('path', method)).toBe(name);
    expect(Reflect.getMetadata('__headers__', method)).toHaveLength(1);
    expect(Reflect.getMetadata('__guards__', method)).toHaveLength(name === 'between' ? 2 : 1);
  });

  it('keeps metadata for those who look at the method alone, and sees what is added later', () => {
    const { value } = Object.getOwnPropertyDescriptor(Reports.prototype, 'above')!;
    const method = value as () => void;
    expect(Reflect.getOwnMetadata('path', method)).toBe('above');
    SetMetadata('late', 1)(method);
    expect(Reflect.getMetadata('late', method)).toBe(1);
  });
});

describe('@Traced() on a class', () => {
  class Base {
    inherited(): void {}
  }

  @Traced({ attributes: { layer: 'store' } })
  class Store extends Base {
    static readonly made = 1;
    readonly field = (): void => {};
    get size(): number {
      return 1;
    }
    onModuleInit(): void {}
    read(): this {
      return this;
    }
    @Traced({ name: 'drop everything' })
    drop(): void {}
  }

  it('traces the methods that the class declares, no accessors and no hooks of Nest', () => {
    const store = new Store();
    within(() => {
      expect(store.read()).toBe(store);
      store.drop();
      store.inherited();
      store.field();
      store.onModuleInit();
      expect(store.size).toBe(1);
    });
    expect(spans.pathsAsEnded).toEqual(
      ['root > Store.read', 'root > drop everything', 'root'].map(internal),
    );
    expect(spans.summaries[0]!.attributes['layer']).toBe('store');
  });

  it('refuses a name that all its methods would have', () => {
    expect(() => Traced({ name: 'x' })(Store)).toThrow(OtelError);
  });

  it('refuses what is not a method', () => {
    const size = Object.getOwnPropertyDescriptor(Store.prototype, 'size')!;
    expect(() => Traced()(Store.prototype, 'size', size)).toThrow(
      'otel: @Traced() on Store.size: it is not a method',
    );
  });
});
