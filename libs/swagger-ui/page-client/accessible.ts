/** Attributes that Swagger UI omits, and that users of screen readers need (WCAG 2.2). */
const LEFT_OUT: readonly (readonly [
  selector: string,
  attribute: string,
  value: (element: Element) => string,
])[] = [
  ['.information-container', 'role', () => 'region'],
  ['.information-container', 'aria-label', () => 'About'],
  ['textarea.body-param__text', 'aria-label', () => 'Request body'],
  ['tr[data-param-name] :is(select, input, textarea)', 'aria-label', parameterName],
  [':is(.content-type, .body-param-content-type select)', 'aria-label', () => 'Media type'],
  ['.responses-table[role=region]', 'aria-label', (it) => `Responses: ${it.id}`],
  ['.modal-ux', 'role', () => 'dialog'],
  ['.modal-ux', 'aria-modal', () => 'true'],
  ['.modal-ux', 'aria-label', () => 'Authorization'],
  ['.close-modal', 'aria-label', () => 'Close'],
  ['.markdown table, pre.microlight', 'tabindex', () => '0'],
  // The title is the only heading above level 3.
  ...[3, 4, 5, 6].map((level) => [`h${level}`, 'aria-level', () => `${level - 1}`] as const),
];

/** Buttons whose name differs from their text, so that speaking the text does not press them (WCAG 2.5.3). */
const MISNAMED = '.modal-ux .btn[aria-label]';

/** Adds the attributes to existing elements, and to elements that are added later. */
export function makeAccessible(root: HTMLElement): void {
  const mend = (): void => {
    for (const element of root.querySelectorAll(MISNAMED)) element.removeAttribute('aria-label');
    for (const [selector, attribute, value] of LEFT_OUT) {
      for (const element of root.querySelectorAll(selector)) {
        if (!element.hasAttribute(attribute)) element.setAttribute(attribute, value(element));
      }
    }
  };
  new MutationObserver(mend).observe(root, { childList: true, subtree: true });
}

function parameterName(element: Element): string {
  return element.closest<HTMLElement>('tr')?.dataset['paramName'] ?? '';
}
