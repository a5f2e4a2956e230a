import { Public } from '@apix/authz';
import { Controller, Get, Header } from '@nestjs/common';
import { HOME_PAGE } from './home-page.js';

/** The way from the root to everything that has a page. */
@Controller()
export class HomeController {
  @Get()
  @Public()
  @Header('content-type', 'text/html; charset=utf-8')
  @Header('content-security-policy', "default-src 'none'; base-uri 'none'; frame-ancestors 'none'")
  page(): string {
    return HOME_PAGE;
  }
}
