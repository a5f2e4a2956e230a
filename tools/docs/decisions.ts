import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = 'docs/decisions';
const INDEX = `${FOLDER}/README.md`;

/** `NNNN-title.md`. */
const FILE = /^(\d{4})-[a-z0-9-]+\.md$/;
const HEAD = /^# (\d{4}) (\S.*)\n\nDate: (\S+)\n/;
const ROW = /^\| (\d{4}) +\| \[(.+?)\]\((.+?)\) +\| (\S.*?) +\|$/gm;

/** How code and pages name a decision: `docs/decisions/0032`, or `decision 0032`. */
const MENTION = /\bdecisions?[/ ](\d{4})\b/gi;

/** Where decisions are named. */
const READ = ['apps', 'bench', 'conformance', 'docs', 'libs', 'proto', 'tools'];
const TEXT = /\.(?:ts|mjs|md|proto)$/;
const NOT_OURS = /(?:^|\/)(?:node_modules|dist|gen)\//;

interface Decision {
  readonly file: string;
  readonly number: string;
  readonly text: string;
}

function decisionsOf(root: string): readonly Decision[] {
  return readdirSync(join(root, FOLDER))
    .filter((file) => FILE.test(file))
    .toSorted()
    .map((file) => ({
      file,
      number: file.slice(0, 4),
      text: readFileSync(join(root, FOLDER, file), 'utf8'),
    }));
}

/** Decisions with the number of another, without a heading of the usual form, or without a date. */
export function decisionMistakes(root: string): string[] {
  const byNumber = new Map<string, string>();
  const misnamed = readdirSync(join(root, FOLDER))
    .filter((file) => file !== 'README.md' && !FILE.test(file))
    .map((file) => `${FOLDER}/${file}: the name must be NNNN-title.md`);
  return decisionsOf(root).reduce((mistakes, { file, number, text }) => {
    const [, headed, , date] = HEAD.exec(text) ?? [];
    const other = byNumber.get(number);
    if (other !== undefined) mistakes.push(`${FOLDER}/${file}: ${other} has the number ${number}`);
    byNumber.set(number, file);
    if (headed !== number || !isDate(date)) {
      mistakes.push(
        `${FOLDER}/${file}: must begin with "# ${number} Title", an empty line and "Date: YYYY-MM-DD"`,
      );
    }
    return mistakes;
  }, misnamed);
}

function isDate(text = ''): boolean {
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

/** Decisions that the index lacks, names otherwise or has twice, and its rows without a decision. */
export function indexMistakes(root: string): string[] {
  const rows = [...readFileSync(join(root, INDEX), 'utf8').matchAll(ROW)].map(
    ([, number, title, file]) => ({ number: number!, title: title!, file: file! }),
  );
  const decisions = decisionsOf(root);
  const files = new Set(decisions.map(({ file }) => file));
  const dead = rows.filter(({ file }) => !files.has(file));
  return [
    ...dead.map(({ file }) => `${INDEX}: ${file} does not exist`),
    ...decisions.flatMap(({ file, number, text }) => {
      const mine = rows.filter((row) => row.file === file);
      if (mine.length === 0) return [`${INDEX}: ${file} is missing`];
      const [, , title] = HEAD.exec(text) ?? [];
      return mine
        .filter((row) => row.number !== number || row.title !== title)
        .map((row) => `${INDEX}: ${file} is listed as ${row.number} "${row.title}"`)
        .concat(mine.slice(1).map(() => `${INDEX}: ${file} is listed again`));
    }),
  ];
}

/** Numbers of decisions, named in code or pages, under which there is none. */
export function mentionMistakes(root: string): string[] {
  const known = new Set(decisionsOf(root).map(({ number }) => number));
  return textsOf(root).flatMap((path) =>
    [...readFileSync(join(root, path), 'utf8').matchAll(MENTION)]
      .filter(([, number]) => !known.has(number!))
      .map(([, number]) => `${path}: ${FOLDER}/${number} does not exist`),
  );
}

function textsOf(root: string): string[] {
  const top = readdirSync(root).filter((file) => file.endsWith('.md'));
  const below = readdirSync(root)
    .filter((folder) => READ.includes(folder))
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(
        (path) => `${folder}/${path.replaceAll('\\', '/')}`,
      ),
    );
  return [...top, ...below.filter((path) => TEXT.test(path) && !NOT_OURS.test(path))];
}
