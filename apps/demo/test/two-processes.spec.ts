import { Code } from '@apix/contracts';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { type TwoProcesses, buildShop, startBoth } from './two-processes.fixture.js';

// Each start is that of two processes, one after the other.
jest.setTimeout(240_000);

const delivery = { case: 'address' as const, value: '1 Mill Lane, Bath' };
const TEA = { lines: [{ product: 'products/tea', quantity: 2 }], delivery };
/** So much that somebody at the bank looks at it, which takes seconds. */
const POTS = { lines: [{ product: 'products/pot', quantity: 300 }], delivery };

beforeAll(() => buildShop());

let both: TwoProcesses;

async function outcomeOf(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => 'OK',
    (error: { readonly code: Code }) => Code[error.code],
  );
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(50);
}

const isReady = async (): Promise<boolean> => (await both.readiness()).status === 200;

/** A customer's request, which takes over its id. */
function asAda(id: string) {
  return { authorization: both.ada, 'x-request-id': id };
}

async function ordersOf(customer: string): Promise<number> {
  const headers = { authorization: both.grace };
  return Number((await both.orders.list({ customer }, { headers })).totalSize);
}

async function crash(): Promise<void> {
  const headers = { authorization: both.grace };
  const { status } = await fetch(`${both.http}/payments/crash`, { method: 'POST', headers });
  expect(status).toBe(202);
}

describe('the shop and its payments', () => {
  beforeAll(async () => {
    both = await startBoth({ ownGroup: true });
  });
  afterAll(() => both.remove());

  it('log a request of both under one id, and payments have less time for it', async () => {
    await both.orders.create({ order: TEA }, { headers: asAda('req-tea'), timeout: '90s' });
    await both.shop.said(/\/shop\.v1\.Orders\/Create.*req-tea|req-tea.*\/shop\.v1\.Orders\/Create/);
    const lines = both.linesOf('req-tea');
    const ofPayments = lines.filter((line) => line.includes('service=payments'));
    expect(ofPayments.some((line) => line.includes('Reserved 13.80 EUR'))).toBe(true);
    expect(ofPayments.some((line) => line.includes('subject=shop'))).toBe(true);
    expect(lines.some((line) => line.includes('subject=ada'))).toBe(true);
    const left = Number(/leftMs=(\d+)/.exec(ofPayments.join('\n'))?.[1]);
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThanOrEqual(90_000 - 20);
  });

  it.each([
    ['nobody', () => undefined, 'UNAUTHENTICATED'],
    ['a customer', () => both.ada, 'PERMISSION_DENIED'],
    ['an admin of the shop', () => both.grace, 'PERMISSION_DENIED'],
  ])('payments refuse %s themselves', async (_who, token, code) => {
    const headers = { authorization: token() };
    const call = both.payments.get({ name: 'payments/1001' }, { headers });
    expect(await outcomeOf(call)).toBe(code);
  });

  it('a reload of the shop is one of payments too', async () => {
    await both.shop.setLevel('information');
    await both.shop.said(/Reloaded in .*service=payments/);
  });

  it('a caller that leaves has payments forget what they asked the bank for', async () => {
    const leave = new AbortController();
    const options = { headers: asAda('req-left'), signal: leave.signal };
    const call = outcomeOf(both.orders.create({ order: POTS }, options));
    await both.shop.said(/The bank is asked for .*req-left/);
    leave.abort();
    expect(await call).toBe('CANCELLED');
    await both.shop.said(/The bank was told to forget .*req-left/);
    expect(both.linesOf('req-left').join('\n')).not.toContain('Reserved');
  });

  it('an order under way as payments are killed is paid, and placed once, when they are back', async () => {
    const before = await ordersOf('ada');
    const call = both.orders.create({ order: POTS }, { headers: asAda('req-killed') });
    await both.shop.said(/The bank is asked for .*req-killed/);
    await crash();
    const { name } = await call;
    expect(await ordersOf('ada')).toBe(before + 1);
    const reserved = both.linesOf('req-killed').filter((line) => line.includes('Reserved'));
    expect(reserved).toHaveLength(1);
    expect(reserved[0]).toContain(name.replace('orders/', 'payments/'));
    await both.shop.said(/Service payments ended early/);
    await until(isReady);
  });

  it('while payments are down the shop is not ready, and an order that failed is placed by its key, once', async () => {
    const before = await ordersOf('ada');
    const release = await both.hold();
    await crash();
    await until(async () => !(await isReady()));
    expect((await both.readiness()).text).toMatch(/"service payments":"[^o]/);
    const request = { order: TEA, idempotencyKey: 'once-and-for-all' };
    const early = both.orders.create(request, { headers: asAda('req-down'), timeout: '2s' });
    expect(await outcomeOf(early)).not.toBe('OK');
    expect(await ordersOf('ada')).toBe(before);
    await release();
    await until(isReady);
    const headers = asAda('req-again');
    const again = await Promise.all([1, 2, 3].map(() => both.orders.create(request, { headers })));
    expect(new Set(again.map(({ name }) => name)).size).toBe(1);
    expect(await ordersOf('ada')).toBe(before + 1);
  });

  it('a Ctrl-C lets the order under way be paid, and ends both in order', async () => {
    const call = both.orders.create({ order: POTS }, { headers: asAda('req-last') });
    await both.shop.said(/The bank is asked for .*req-last/);
    const ended = both.shop.interrupt();
    expect((await call).name).toMatch(/^orders\//);
    expect(await ended).toBe(0);
    const lines = both.shop.output.split('\n');
    // Not of the Ctrl-C itself: they end when the shop needs them no more.
    const told = lines.filter((line) => /Host is stopping: .*service=payments/.test(line));
    expect(told).toEqual([expect.stringContaining('the shop has hung up')]);
    const stopped = lines.filter((line) => line.includes('Host is stopped'));
    expect(stopped.map((line) => line.includes('service=payments'))).toEqual([true, false]);
  });
});

describe('a shop that is killed', () => {
  afterEach(() => both.remove());

  it('leaves no payments behind', async () => {
    both = await startBoth();
    await both.shop.crash();
    expect(both.shop.output).toContain('Host is stopping: the shop has hung up');
    expect(both.shop.output).toMatch(/Host is stopped service=payments/);
  });
});
