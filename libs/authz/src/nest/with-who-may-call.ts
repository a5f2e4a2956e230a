import type { INestApplicationContext } from '@nestjs/common';
import { AuthzReport } from '../report/authz-report.js';

/**
 * A copy of an OpenAPI document, such as that of `@nestjs/swagger`, in which each operation that a controller of the app
 * serves says who may call it, as `x-who-may-call`, in the words of `apix-authz report`. Its readers learn roles,
 * permissions and conditions. Paths are compared as the app serves them: call it when the app has been initialised,
 * with a document that has the global prefix. Guards of the app's own are not in it.
 */
export function withWhoMayCall<D extends object>(app: INestApplicationContext, document: D): D {
  return app.get(AuthzReport).withWhoMayCall(document) as D;
}
