import type { IncomingHttpHeaders } from 'node:http';
import { ForbiddenException } from '@nestjs/common';
import { isSentByPage } from '../same-origin.js';

/**
 * Browsers send credentials with what pages of others post, too.
 *
 * @throws ForbiddenException for a request that was not sent by the page itself.
 */
// Why: docs/decisions/0183
export function refuseOtherPages(headers: IncomingHttpHeaders, asksFor: string): void {
  if (isSentByPage(headers)) return;
  throw new ForbiddenException(`host-page: only the page itself may ask for ${asksFor}`);
}
