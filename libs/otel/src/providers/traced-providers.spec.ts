import 'reflect-metadata';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type CanActivate,
  Controller,
  type ExecutionContext,
  Get,
  Inject,
  Injectable,
  Module,
  type OnModuleInit,
  Param,
  Scope,
  SetMetadata,
  UseGuards,
} from '@nestjs/common';
import { DiscoveryModule, DiscoveryService, NestFactory, REQUEST, Reflector } from '@nestjs/core';
import { trace } from '@opentelemetry/api';
import { OtelError } from '../errors.js';
import { RecordedSpans, forgetSpans } from '../recorded-spans.fixture.js';
import { internal, query, within } from './work.fixture.js';
import { Traced } from './traced.js';
import { tracedProviders } from './traced-providers.js';

let spans: RecordedSpans;
beforeEach(() => {
  spans = new RecordedSpans();
});
afterEach(forgetSpans);

class Repository {
  read(id: string): string {
    query();
    return `row ${id}`;
  }
  close(): void {}
}

@Injectable()
class OrdersRepository extends Repository implements OnModuleInit {
  readonly #prefix = 'order:';
  static initialised = 0;
  get prefix(): string {
    return this.#prefix;
  }
  override read(id: string): string {
    return this.#prefix + super.read(id);
  }
  self(): this {
    return this;
  }
  onModuleInit(): void {
    OrdersRepository.initialised++;
  }
}

@Injectable({ scope: Scope.REQUEST })
class Visit {
  constructor(@Inject(REQUEST) private readonly request: { readonly url: string }) {}
  path(): string {
    return this.request.url;
  }
}

@Injectable({ scope: Scope.TRANSIENT })
class Draft {
  save(): number {
    return 1;
  }
}

@Injectable()
class Roles implements CanActivate {
  constructor(@Inject(Reflector) private readonly reflector: Reflector) {}
  canActivate(context: ExecutionContext): boolean {
    return this.reflector.get('role', context.getHandler()) === 'clerk';
  }
}

@Controller('orders')
class OrdersController {
  constructor(
    @Inject(OrdersRepository) private readonly orders: OrdersRepository,
    @Inject(Visit) private readonly visit: Visit,
  ) {}

  @Get(':id')
  @UseGuards(Roles)
  @SetMetadata('role', 'clerk')
  async find(@Param('id') id: string): Promise<string> {
    return within(async () => `${this.orders.read(id)} at ${this.visit.path()}`);
  }
}

@Controller('reports')
class ReportsController {
  @Get(':id')
  @UseGuards(Roles)
  @SetMetadata('role', 'clerk')
  show(@Param('id') id: string): string {
    return `report ${id}`;
  }

  @Get()
  @UseGuards(Roles)
  list(): void {}
}

const ALIAS = Symbol('alias');

@Module({
  imports: [DiscoveryModule],
  controllers: [OrdersController, ReportsController],
  providers: [
    OrdersRepository,
    Visit,
    Draft,
    { provide: ALIAS, useExisting: OrdersRepository },
    { provide: 'made', useFactory: () => new Repository() },
    { provide: 'given', useValue: Object.freeze(new Repository()) },
  ],
})
class App {}

async function appWith(options: Parameters<typeof tracedProviders>[0]) {
  return NestFactory.create(App, {
    logger: false,
    abortOnError: false,
    instrument: tracedProviders(options),
  });
}

describe('tracedProviders', () => {
  it('traces chosen providers of an app, in a request too', async () => {
    const app = await appWith({ names: [/Repository$/], classes: [Visit] });
    await app.listen(0, '127.0.0.1');
    const response = await fetch(`${await app.getUrl()}/orders/o1`);
    expect(await response.text()).toBe('order:row o1 at /orders/o1');
    expect(spans.pathsAsEnded).toEqual(
      [
        'root > OrdersRepository.read > query',
        'root > OrdersRepository.read',
        'root > Visit.path',
        'root',
      ].map(internal),
    );
    await app.close();
  });

  it('traces controllers, whose routes, guards and metadata stay', async () => {
    const app = await appWith({ where: (type) => type === ReportsController });
    app.use((_request: object, _response: object, next: () => void) => within(next));
    await app.listen(0, '127.0.0.1');
    const url = `${await app.getUrl()}/reports`;
    expect(await (await fetch(`${url}/r1`)).text()).toBe('report r1');
    expect((await fetch(url)).status).toBe(403);
    expect(spans.pathsAsEnded).toContain(internal('root > ReportsController.show'));
    expect(spans.pathsAsEnded).not.toContain(internal('root > ReportsController.list'));
    await app.close();
  });

  it('leaves an instance what it is: private fields, accessors, identity, class, keys', async () => {
    const app = await appWith({ classes: [Repository] });
    const orders = app.get(OrdersRepository);
    expect(orders).toBeInstanceOf(OrdersRepository);
    expect(Object.getPrototypeOf(orders)).toBe(OrdersRepository.prototype);
    expect([orders.prefix, Object.keys(orders), JSON.stringify(orders)]).toEqual([
      'order:',
      [],
      '{}',
    ]);
    within(() => expect(orders.self()).toBe(orders));
    expect(app.get(ALIAS)).toBe(orders);
    expect(
      app
        .get(DiscoveryService)
        .getProviders()
        .map(({ instance }) => instance as unknown),
    ).toContain(orders);
    // The class itself is as it was.
    spans.reset();
    within(() => new OrdersRepository().self());
    expect(spans.pathsAsEnded).toEqual(['root'].map(internal));
    await app.close();
  });

  it('makes one span of a call of an alias, of what a factory made, and of each transient instance', async () => {
    const app = await appWith({ classes: [Repository, Draft] });
    const draft = await app.resolve(Draft);
    within(() => {
      app.get<Repository>(ALIAS).close();
      app.get<Repository>('made').close();
      draft.save();
    });
    expect(spans.pathsAsEnded).toEqual(
      ['root > OrdersRepository.close', 'root > Repository.close', 'root > Draft.save', 'root'].map(
        internal,
      ),
    );
    await app.close();
  });

  it('leaves alone what cannot be extended, what was not chosen, and lifecycle hooks', async () => {
    OrdersRepository.initialised = 0;
    const app = await within(async () => {
      const made = await appWith({ classes: [Repository] });
      await made.init();
      return made;
    });
    spans.reset();
    within(() => app.get<Repository>('given').close());
    expect(OrdersRepository.initialised).toBe(1);
    expect(spans.pathsAsEnded).toEqual(['root'].map(internal));
    await app.close();
  });

  it('traces the selected methods, and no method twice that has @Traced()', async () => {
    class Cache {
      @Traced({ name: 'cache' })
      get(): void {}
      set(): void {}
      clear(): void {}
    }
    const { instanceDecorator } = tracedProviders({
      classes: [Cache],
      methods: (method, type) => type === Cache && method !== 'clear',
    });
    const cache = instanceDecorator(instanceDecorator(new Cache())) as Cache;
    within(() => {
      cache.get();
      cache.set();
      cache.clear();
    });
    expect(spans.pathsAsEnded).toEqual(['root > cache', 'root > Cache.set', 'root'].map(internal));
  });

  it('asks for each class once, and takes patterns with any flags', () => {
    const asked: string[] = [];
    const { instanceDecorator } = tracedProviders({
      names: [/^Dra/gy],
      where: ({ name }) => asked.push(name) < 0,
    });
    for (let i = 0; i < 3; i++) {
      const draft = instanceDecorator(new Draft()) as Draft;
      instanceDecorator(new Repository());
      within(() => draft.save());
    }
    expect(asked).toEqual(['Repository']);
    expect(
      spans.pathsAsEnded.filter((path) => path === internal('root > Draft.save')),
    ).toHaveLength(3);
  });

  it.each([[undefined], [null], [1], ['text'], [() => {}], [{ a: 1 }], [Object.create(null)]])(
    'gives back what is no instance of a class: %p',
    (value) => {
      const { instanceDecorator } = tracedProviders({ where: () => true });
      expect(instanceDecorator(value)).toBe(value);
    },
  );

  it('does not look into a proxy, whose traps may throw before a request', () => {
    const fails = (): never => {
      throw new Error('too early');
    };
    const proxy = new Proxy(new Repository(), { get: fails, getPrototypeOf: fails, has: fails });
    expect(tracedProviders({ where: () => true }).instanceDecorator(proxy)).toBe(proxy);
  });

  it('refuses to trace nothing, and never means all', () => {
    expect(() => tracedProviders({})).toThrow(OtelError);
    expect(trace.getActiveSpan()).toBeUndefined();
  });
});
