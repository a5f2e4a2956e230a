import type { Page } from 'playwright-core';

interface Painted {
  readonly text: string;
  /** As `rgb(1, 2, 3)`. */
  readonly ink: string;
  readonly ground: string;
}

/** Every text that is seen, with its colour and that of the nearest ground that is painted. */
const PAINTED = `
  [...document.querySelectorAll('body *')].flatMap((element) => {
    const own = [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE);
    const text = own.map((node) => node.textContent).join('').trim();
    if (text === '' || !element.checkVisibility()) return [];
    let ground = element;
    const paint = (it) => getComputedStyle(it).backgroundColor;
    while (ground.parentElement && paint(ground) === 'rgba(0, 0, 0, 0)') ground = ground.parentElement;
    const style = getComputedStyle(element);
    const ink = element instanceof SVGElement ? style.fill : style.color;
    return [{ text, ink, ground: paint(ground) }];
  })
`;

/** The text of a page that is the hardest to read, by the contrast ratio of WCAG 2.2. */
export async function leastContrast(
  page: Page,
): Promise<{ readonly ratio: number; readonly text: string }> {
  const painted = await page.evaluate<readonly Painted[]>(PAINTED);
  const ratios = painted.map(({ text, ink, ground }) => {
    const [dark, light] = [luminance(ink), luminance(ground)].toSorted((a, b) => a - b);
    return { text, ratio: (light! + 0.05) / (dark! + 0.05) };
  });
  const [least] = ratios.toSorted((a, b) => a.ratio - b.ratio);
  if (least === undefined) throw new Error('the page has no text');
  return least;
}

/** WCAG 2.2, relative luminance. */
function luminance(color: string): number {
  const channels = (color.match(/[\d.]+/g) ?? []).slice(0, 3).map((value) => {
    const share = Number(value) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  const [red = 0, green = 0, blue = 0] = channels;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
