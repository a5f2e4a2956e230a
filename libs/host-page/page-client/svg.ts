const SVG = 'http://www.w3.org/2000/svg';

/** Adds an element to a drawing. */
export function draw<K extends keyof SVGElementTagNameMap>(
  parent: Element,
  tag: K,
  attributes: Attributes,
): SVGElementTagNameMap[K] {
  const element = document.createElementNS(SVG, tag);
  place(element, attributes);
  parent.append(element);
  return element;
}

type Attributes = Readonly<Record<string, string | number>>;

/** Sets attributes of an element of a drawing. */
export function place(element: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, `${value}`);
}
