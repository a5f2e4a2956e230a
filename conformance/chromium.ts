import { type Browser, type Page, chromium } from 'playwright-core';

/** Starts Debian's Chromium. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: '/usr/bin/chromium',
    // Chromium's sandbox does not run as root.
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
}

/** What a page does that it should not. */
export interface Misdeeds {
  /** Requests to anybody but the origin. */
  readonly elsewhere: string[];
  /** Errors on the console: of scripts, of requests, and breaches of the content security policy. */
  readonly complaints: string[];
}

/** Watches a page from now on. */
export function watch(page: Page, origin: string): Misdeeds {
  const elsewhere: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(`${origin}/`) && !/^(?:data|blob):/.test(url)) elsewhere.push(url);
  });
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  return { elsewhere, complaints };
}

/** Runs a step; the first that fails ends the test. */
export async function step(what: string, run: () => unknown): Promise<void> {
  await run();
  console.log(`ok  ${what}`);
}
