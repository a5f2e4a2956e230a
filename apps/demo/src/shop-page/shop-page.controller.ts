import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Public } from '@apix/authz';
import { RequestLog } from '@apix/logx';
import { Controller, Get, Header, NotFoundException, Param, StreamableFile } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { assetPath } from '../assets.js';
import { browserModule, importMap } from './browser-modules.js';

const PAGE = readFileSync(assetPath('page/shop.html'), 'utf8').replace(
  '{{imports}}',
  importMap('/shop/modules'),
);
/** As the browser hashes it: all between the tags. */
const [, IMPORT_MAP = ''] = /<script type="importmap">(.*?)<\/script>/s.exec(PAGE) ?? [];
const HASH = createHash('sha256').update(IMPORT_MAP).digest('base64');
/** Scripts of the shop alone; the import map is in the page, and known by its hash. */
const POLICY = [
  "default-src 'none'",
  `script-src 'self' 'sha256-${HASH}'`,
  "style-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');
const SCRIPT = 'text/javascript; charset=utf-8';

/** The shop in a browser: a page that calls the RPCs over Connect or gRPC-Web, from the server that serves them. */
@Controller('shop')
@ApiExcludeController()
@Public()
@RequestLog('debug')
export class ShopPageController {
  @Get()
  @Header('content-type', 'text/html; charset=utf-8')
  @Header('content-security-policy', POLICY)
  page(): string {
    return PAGE;
  }

  @Get('page.js')
  @Header('content-type', SCRIPT)
  script(): string {
    return readFileSync(assetPath('page/shop.js'), 'utf8');
  }

  @Get('page.css')
  @Header('content-type', 'text/css; charset=utf-8')
  style(): string {
    return readFileSync(assetPath('page/shop.css'), 'utf8');
  }

  /** The descriptors of the shop: with them, a client needs no generated code. */
  @Get('shop.binpb')
  descriptors(): StreamableFile {
    return new StreamableFile(readFileSync(assetPath('gen/shop.binpb')));
  }

  @Get('modules/*path')
  @Header('content-type', SCRIPT)
  async module(@Param('path') path: string | readonly string[]): Promise<string> {
    const text = await browserModule(typeof path === 'string' ? path : path.join('/'));
    if (text === undefined) throw new NotFoundException();
    return text;
  }
}
