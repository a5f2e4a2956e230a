import { Code } from '@apix/contracts';
import { Catalog } from '../src/gen/shop/v1/catalog_pb.js';
import { Orders } from '../src/gen/shop/v1/orders_pb.js';
import { Support } from '../src/gen/shop/v1/support_pb.js';
import type { DemoCaller } from '../src/identity/demo-issuer.js';

/** One caller a column; each has a token, except nobody. */
export const CALLERS = {
  nobody: undefined,
  customer: { roles: ['customer'] },
  staff: { roles: ['staff'] },
  trainee: { roles: ['staff', 'trainee'] },
  clerk: { roles: ['staff'], permissions: ['orders:read', 'orders:write'] },
  admin: { roles: ['admin'], permissions: ['orders:read', 'orders:write', 'orders:delete'] },
  suspended: { roles: ['admin', 'suspended'], permissions: ['orders:delete'] },
} as const satisfies Record<string, Partial<DemoCaller> | undefined>;

export type Caller = keyof typeof CALLERS;
type Verdict = 'lets in' | 'asks who' | 'forbids';

const [NO, YES, WHO] = ['forbids', 'lets in', 'asks who'] as const;
const NAME = { name: 'products/tea' };
export const ORDER = { name: 'orders/none' };

// Method, its policy, a request, its REST address, and then one verdict a caller.
const ROWS = [
  // prettier-ignore
  [Catalog.method.list, 'public', {}, 'GET /v1/products', [YES, YES, YES, YES, YES, YES, YES]],
  // prettier-ignore
  [Catalog.method.create, 'a rule of the method', {}, 'POST /v1/products', [WHO, NO, NO, NO, NO, YES, YES]],
  // prettier-ignore
  [Catalog.method.getStock, 'none, under deny', NAME, 'GET /v1/products/tea/stock', [NO, NO, NO, NO, NO, NO, NO]],
  // prettier-ignore
  [Orders.method.get, 'the default of the service', ORDER, 'GET /v1/orders/none', [WHO, NO, YES, YES, YES, YES, YES]],
  // prettier-ignore
  [Orders.method.list, 'a list', {}, 'GET /v1/orders', [WHO, YES, YES, YES, YES, YES, YES]],
  // prettier-ignore
  [Orders.method.create, 'empty, over the default', {}, 'POST /v1/orders', [WHO, YES, YES, YES, YES, YES, YES]],
  // prettier-ignore
  [Orders.method.update, 'all_of permissions', {}, 'PATCH /v1/orders/none', [WHO, NO, NO, NO, YES, YES, NO]],
  // prettier-ignore
  [Orders.method.cancel, 'compound', ORDER, 'POST /v1/orders/none:cancel', [WHO, NO, NO, NO, NO, YES, NO]],
  // prettier-ignore
  [Orders.method.refund, 'any_of with none_of', ORDER, 'POST /v1/orders/none:refund', [WHO, NO, YES, NO, YES, YES, YES]],
  // prettier-ignore
  [Orders.method.delete, 'any_of permissions, none_of roles', ORDER, 'DELETE /v1/orders/none', [WHO, NO, NO, NO, NO, YES, NO]],
  // prettier-ignore
  [Orders.method.watch, 'the default, server stream', {}, 'GET /v1/orders:watch', [WHO, NO, YES, YES, YES, YES, YES]],
  // prettier-ignore
  [Orders.method.import, 'a rule, client stream', {}, undefined, [WHO, NO, NO, NO, YES, YES, NO]],
  // prettier-ignore
  [Support.method.chat, 'the default, both stream', {}, undefined, [WHO, YES, YES, YES, YES, YES, NO]],
] as const;

/** A row for every caller and method. */
export const CASES = ROWS.flatMap(([method, policy, request, route, verdicts]) =>
  (Object.keys(CALLERS) as Caller[]).map((caller, column) => ({
    method,
    path: `/${method.parent.typeName}/${method.name}`,
    policy,
    request,
    route,
    caller,
    verdict: verdicts[column]!,
  })),
);

/** By the number of a code, which grpc-js and we have in common. */
const VERDICTS: ReadonlyMap<number, Verdict> = new Map([
  [Code.UNAUTHENTICATED, 'asks who'],
  [Code.PERMISSION_DENIED, 'forbids'],
]);

/** What a code says of the decision about a call. */
export function verdictOf(code: number | undefined): Verdict {
  return VERDICTS.get(code ?? Code.OK) ?? 'lets in';
}

/** A row a method, with the verdicts of all callers. */
export const TABLE = ROWS.map(([method, policy, request, route, verdicts]) => ({
  method,
  path: `/${method.parent.typeName}/${method.name}`,
  policy,
  request,
  route,
  verdicts,
}));
