import type { Page } from 'playwright-core';

/** Runs in the page: what is wider than the screen, and text that is cut off. */
const FAULTS = `
  (() => {
    const width = document.documentElement.clientWidth;
    const faults = [];
    if (document.documentElement.scrollWidth > width) {
      faults.push('the page is ' + document.documentElement.scrollWidth + ' px wide');
    }
    const name = (it) => it.tagName.toLowerCase() + '.' + [...it.classList].join('.');
    for (const element of document.querySelectorAll('body *')) {
      const own = [...element.childNodes].some(
        (node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim() !== '',
      );
      if (!own || !element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
      const box = element.getBoundingClientRect();
      if (box.width <= 1 || box.height <= 1 || element.matches('.visually-hidden')) continue;
      let scrolls = false;
      for (let it = element; it !== document.body && it; it = it.parentElement) {
        const { overflowX, position } = getComputedStyle(it);
        if (overflowX === 'auto' || overflowX === 'scroll') scrolls = true;
        // Drawers wait beside the screen.
        if (position === 'fixed' && it.getBoundingClientRect().right <= 0) scrolls = true;
      }
      if (scrolls) continue;
      if (box.right > width + 1 || box.left < -1) {
        faults.push('outside: ' + name(element) + ' ' + element.textContent.trim().slice(0, 40));
      }
      const { overflow, display } = getComputedStyle(element);
      const cuts = overflow === 'hidden' || overflow === 'clip';
      if (cuts && display !== 'inline' && element.scrollWidth > element.clientWidth + 1) {
        faults.push('cut: ' + name(element) + ' ' + element.textContent.trim().slice(0, 40));
      }
    }
    for (const command of document.querySelectorAll('div.language-sh pre')) {
      if (command.scrollWidth <= command.clientWidth + 1) continue;
      faults.push('cut command: ' + command.textContent.trim().slice(0, 40));
    }
    return faults;
  })()
`;

/** Horizontal scroll of a page, texts that are cut or outside of the screen, and commands that scroll. */
export function layoutFaults(page: Page): Promise<readonly string[]> {
  return page.evaluate<readonly string[]>(FAULTS);
}
