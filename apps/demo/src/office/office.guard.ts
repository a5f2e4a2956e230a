import {
  type CanActivate,
  type ExecutionContext,
  Inject,
  Injectable,
  UnauthorizedException,
} from '@nestjs/common';
import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { OfficeKey } from './office-key.js';

/** Basic authentication, which a browser can do for a page, its files and its stream. */
@Injectable()
export class OfficeGuard implements CanActivate {
  constructor(@Inject(OfficeKey) private readonly key: OfficeKey) {}

  canActivate(context: ExecutionContext): boolean {
    const http = context.switchToHttp();
    const { headers } = http.getRequest<IncomingMessage>();
    const wanted = Buffer.from(this.key.authorization);
    const given = Buffer.from(headers.authorization ?? '');
    if (given.length === wanted.length && timingSafeEqual(given, wanted)) return true;
    const response = http.getResponse<ServerResponse>();
    response.setHeader('www-authenticate', 'Basic realm="office", charset="UTF-8"');
    throw new UnauthorizedException('the office is for staff');
  }
}
