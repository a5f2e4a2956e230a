import { readFileSync } from 'node:fs';
import { assetPath } from '../assets.js';
import {
  type Example,
  type ExampleLine,
  moreExamples,
  type ShopAddress,
  threeCallers,
  WHY_DENIED,
} from '../welcome/examples.js';

const PAGE = readFileSync(assetPath('page/home.html'), 'utf8');

/** The page at the root of the shop: what it is, where everything is, and lines to try. It has no secrets. */
export function homePage(address: ShopAddress): string {
  const [rest, grpc, ...others] = [...threeCallers(address), ...moreExamples(address)];
  return PAGE.replace('{{callers}}', () => section(rest!) + section(grpc!))
    .replace('{{why}}', () => escaped(WHY_DENIED))
    .replace('{{more}}', () => others.map(section).join(''));
}

function section({ title, lines }: Example): string {
  return `<section><h3>${escaped(title)}</h3><ul class="lines">${lines.map(row).join('')}</ul></section>\n`;
}

function row({ who, status, command }: ExampleLine): string {
  const end = status === '' ? '' : `<span class="status ${kindOf(status)}">${status}</span>`;
  return (
    `<li><p><span>${escaped(who)}</span>${end}</p>` +
    `<div class="command"><code tabindex="0" data-status="${status}">${escaped(command)}</code>` +
    `<button type="button" hidden aria-label="Copy: ${escaped(who)}, ${status}">Copy</button></div></li>`
  );
}

function kindOf(status: string): string {
  return /^(?:OK|2\d\d)$/.test(status) ? 'allowed' : 'denied';
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
