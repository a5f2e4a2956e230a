import {
  type CanActivate,
  type ExecutionContext,
  Inject,
  Injectable,
  UnauthorizedException,
} from '@nestjs/common';
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { OfficeKey } from './office-key.js';

/** Basic authentication, which a browser can do for a page, its files and its stream. */
@Injectable()
export class OfficeGuard implements CanActivate {
  constructor(@Inject(OfficeKey) private readonly key: OfficeKey) {}

  canActivate(context: ExecutionContext): boolean {
    const http = context.switchToHttp();
    const { headers } = http.getRequest<IncomingMessage>();
    const { authorization } = this.key;
    if (authorization !== undefined && isSame(headers.authorization ?? '', authorization))
      return true;
    const response = http.getResponse<ServerResponse>();
    response.setHeader('www-authenticate', 'Basic realm="office", charset="UTF-8"');
    throw new UnauthorizedException('the office is for staff');
  }
}

/** In a time that depends neither on where the texts differ nor on how long the wanted one is. */
function isSame(given: string, wanted: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(wanted));
}
