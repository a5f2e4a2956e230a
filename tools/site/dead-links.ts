import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, posix } from 'node:path';
import { anchorsOf } from '../docs/links.js';
import { withoutBlocks } from '../docs/code-blocks.js';

const ATTRIBUTE = /<(a|link|script|img|source)\b[^>]*?\s(?:href|src)="([^"]*)"/g;
const ID = /\sid="([^"]+)"/g;
const MARKDOWN = /\]\(([^()\s]+)\)/g;
const ELSEWHERE = /^(?:[a-z][a-z+.-]*:|\/\/)/;

/**
 * Links of a built site that lead nowhere, in its HTML and in its Markdown, and what it loads from
 * elsewhere.
 *
 * @param base the path under which the site is served, with slashes at both ends.
 */
export function deadLinks(folder: string, base: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) =>
    file.replaceAll('\\', '/'),
  );
  const anchors = new Map<string, ReadonlySet<string>>();
  const anchorsAt = (file: string): ReadonlySet<string> => {
    const known = anchors.get(file) ?? readAnchors(folder, file);
    anchors.set(file, known);
    return known;
  };
  return files
    .filter((file) => /\.(?:html|md|txt)$/.test(file))
    .flatMap((file) => {
      const text = readFileSync(join(folder, file), 'utf8');
      const links = file.endsWith('.html') ? linksOfHtml(text) : linksOfMarkdown(text);
      return [...new Set(links)].flatMap((link) => {
        if (link.startsWith('loads ')) return [`${file} ${link}`];
        return leadsSomewhere(folder, base, file, link, anchorsAt) ? [] : [`${file}: ${link}`];
      });
    });
}

function linksOfHtml(text: string): string[] {
  return [...text.matchAll(ATTRIBUTE)].flatMap(([, tag, target]) => {
    const link = target!.replaceAll('&amp;', '&');
    if (!ELSEWHERE.test(link)) return [link];
    return tag === 'a' || link.startsWith('data:') ? [] : [`loads ${link} from elsewhere`];
  });
}

function linksOfMarkdown(text: string): string[] {
  const prose = withoutBlocks(text).replaceAll(/`[^`\n]*`/g, '');
  return [...prose.matchAll(MARKDOWN)].map(([, link]) => link!).filter((it) => !ELSEWHERE.test(it));
}

function leadsSomewhere(
  folder: string,
  base: string,
  file: string,
  link: string,
  anchorsAt: (file: string) => ReadonlySet<string>,
): boolean {
  const [path = '', anchor = ''] = decodeURI(link).split('#');
  const [plain = ''] = path.split('?');
  if (plain.startsWith('/') && !plain.startsWith(base)) return false;
  const target = plain.startsWith('/')
    ? plain.slice(base.length)
    : plain === ''
      ? file
      : posix.join(posix.dirname(file), plain);
  const real = [target, posix.join(target, 'index.html')].find(
    (one) => /\.\w+$/.test(one) && existsSync(join(folder, one)),
  );
  return real !== undefined && (anchor === '' || anchorsAt(real).has(anchor));
}

function readAnchors(folder: string, file: string): ReadonlySet<string> {
  const text = readFileSync(join(folder, file), 'utf8');
  const ids = file.endsWith('.html')
    ? [...text.matchAll(ID)].map(([, id]) => id!)
    : anchorsOf(text);
  return new Set(ids);
}
