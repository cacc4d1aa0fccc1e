import {
  attributeOf,
  elementsBelow,
  isElement,
  isText,
  namesOf,
  textBelow,
  type HtmlElement,
  type HtmlNode,
  type HtmlParent,
} from './html-tree.ts';
import { isBlock, isStruck, isUnseen } from './html-units.ts';
import { squeezed } from '../white-space.ts';
import { wordList, wordSet } from '../word-list.ts';

/** The content of a page, without what every page of its site has around it. */
interface MainContent {
  readonly root: HtmlParent;
  /** Elements and single texts outside the root. */
  readonly leftOut: readonly LeftOut[];
}

interface LeftOut {
  readonly why: string;
  readonly text: string;
}

/** Removes everything from the tree that is not content, and finds the element that contains the rest. */
export function mainContentOf(page: HtmlParent): MainContent {
  const leftOut: LeftOut[] = [];
  const note = (why: string, text: string): void => {
    if (text.trim() !== '') leftOut.push({ why, text });
  };
  const leaveOut = (root: HtmlParent, whyOf: (element: HtmlElement) => string | undefined): void => {
    const gone = new Set<HtmlParent>();
    for (const element of elementsBelow(root)) {
      if (gone.has(element.parentNode!)) {
        gone.add(element);
        continue;
      }
      const why = whyOf(element);
      if (why === undefined) continue;
      gone.add(element);
      if (why !== UNSEEN) note(why, textBelow(element));
    }
    for (const parent of new Set([...gone].map((element) => (element as HtmlElement).parentNode!)))
      if (!gone.has(parent))
        parent.childNodes = parent.childNodes.flatMap((node) => {
          if (!isElement(node) || !gone.has(node)) return [node];
          return textBelow(node).trim() === '' ? [] : [markOf(parent)];
        });
  };
  const leaveOutAll = (root: HtmlParent, elements: readonly HtmlElement[], why: string): void => {
    const all = new Set(elements);
    leaveOut(root, (element) => (all.has(element) ? why : undefined));
  };
  leaveOut(page, (element) =>
    isStruck(element) ? 'struck text' : isUnseen(element) && element.tagName !== 'input' ? UNSEEN : undefined,
  );
  const whole = weigh(page);
  const total = whole.get(page)!.content;
  leaveOut(page, (element) => {
    const why = whyNot(element);
    // An element with most of the text is the content, whatever its name is.
    return why !== undefined && whole.get(element)!.content > total * 0.5 ? undefined : why;
  });
  const root = rootOf(page);
  for (const node of outside(root)) note('outside', isText(node) ? node.value : textOf(node));
  leaveOutAll(root, aboveTitle(root, weigh(root)), 'header');
  leaveOutAll(root, afterTheEnd(root, weigh(root)), 'aside');
  leaveOutAll(root, teasers(root, weigh(root)), 'aside');
  const weights = weigh(root);
  const isIndex = weights.get(root)!.linked > weights.get(root)!.text * 0.6;
  if (!isIndex) leaveOut(root, (element) => (isLinks(element, weights) ? 'navigation' : undefined));
  leaveOutAll(root, headingsOfMarks(root), 'navigation');
  return { root, leftOut };
}

/** A comment with this text replaces a part that was left out. */
const MARK = 'left out';
const markOf = (parentNode: HtmlParent): HtmlNode => ({ nodeName: '#comment', data: MARK, parentNode });

/** Headings below which everything was left out. */
function headingsOfMarks(root: HtmlParent): HtmlElement[] {
  const found: HtmlElement[] = [];
  let heading: HtmlElement | undefined;
  let isMarked = false;
  const close = (next?: HtmlElement): void => {
    const isAbove = heading !== undefined && next !== undefined && next.tagName > heading.tagName;
    if (heading !== undefined && isMarked && !isAbove) found.push(heading);
    heading = next;
    isMarked = false;
  };
  const open: HtmlNode[] = root.childNodes.toReversed();
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (isElement(node) && HEADINGS.has(node.tagName)) close(node);
    else if (isElement(node)) for (const child of node.childNodes.toReversed()) open.push(child);
    else if ('data' in node && node.data === MARK) isMarked = true;
    // With text below it, a heading is kept.
    else if (isText(node) && node.value.trim() !== '') heading = undefined;
  }
  close();
  return found;
}

/** The topmost nodes of the page outside the root. */
function outside(root: HtmlParent): HtmlNode[] {
  const found: HtmlNode[] = [];
  for (let node = root; isElement(node) && node.parentNode !== null; node = node.parentNode) {
    const inside = node;
    found.push(...node.parentNode.childNodes.filter((other) => other !== inside));
  }
  return found;
}

const textOf = (node: HtmlNode): string => (isElement(node) ? textBelow(node) : '');

/** The reason for parts that are removed without being counted, because they are not visible. */
const UNSEEN = 'unseen';

function isAttached(element: HtmlElement, root: HtmlParent): boolean {
  let node: HtmlParent | null = element;
  while (node !== null && node !== root) node = isElement(node) ? node.parentNode : null;
  return node === root;
}

const ROLES: Readonly<Record<string, string>> = {
  navigation: 'navigation',
  menu: 'navigation',
  menubar: 'navigation',
  toolbar: 'navigation',
  tablist: 'navigation',
  search: 'navigation',
  banner: 'header',
  contentinfo: 'footer',
  complementary: 'aside',
  dialog: 'banner',
  alertdialog: 'banner',
};

/** Class names and ids in sites for what surrounds their content. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  navigation: wordList(`
    nav navbar navigation navi navbox menu topmenu submenu breadcrumb breadcrumbs pagination pager toc
    tableofcontents sidebar sidenav toolbar skip skiplink jumplink editsection headerlink permalink
    anchorjs catlinks noprint printfooter`),
  footer: wordList('footer colophon copyright imprint footnav'),
  header: wordList('masthead siteheader topbar pageheader'),
  aside: wordList(`
    related recommended recommendations recirc recirculation trending popular mostread teaser teasers
    readmore readnext widget widgets outbrain taboola promo promotion promobox aside rail`),
  banner: wordList(`
    cookie cookies cookiebanner consent gdpr newsletter subscribe subscription signup popup modal overlay
    lightbox ad ads adv advert advertisement advertising adslot adbox sponsor sponsored dfp`),
  sharing: wordList(`
    share sharing sharebar shares sharedaddy addthis social socials socialmedia followus`),
  comments: wordList('comments comment commentlist disqus respond replies livefyre'),
  meta: wordList(`
    byline author authors authorbox bio dateline timestamp postmeta taglist tags tagcloud credit credits`),
};

const WHY = new Map(
  Object.entries(NAMES).flatMap(([why, names]) => names.map((name) => [name, why] as const)),
);

const HIDDEN_NAMES = wordSet(`
  hidden hide d-none sr-only visually-hidden visuallyhidden screen-reader-text invisible`);

/** These elements are content, whatever their names are. */
const KEPT = wordSet('html body main article h1 h2 h3 h4 h5 h6 td th tr tbody pre code dt dd');

function whyNot(element: HtmlElement): string | undefined {
  const { tagName } = element;
  if (tagName === 'body' || tagName === 'html' || tagName === 'main') return undefined;
  if (tagName === 'nav') return 'navigation';
  const role = attributeOf(element, 'role');
  if (role !== undefined && ROLES[role] !== undefined) return ROLES[role];
  if (isHidden(element)) return isShownByScript(element) ? undefined : 'hidden';
  const classes = (attributeOf(element, 'class') ?? '').toLowerCase().split(/\s+/u);
  if (classes.some((name) => HIDDEN_NAMES.has(name))) return 'hidden';
  if (isInside(element, 'pre')) return undefined;
  const names = namesOf(element, !isAboutContent(element));
  if (names.some((name) => ['admonition', 'callout', 'notecard', 'footnotes', 'footnote'].includes(name)))
    return undefined;
  if (tagName === 'aside') return 'aside';
  if (tagName === 'footer' && !isInside(element, 'blockquote')) return 'footer';
  if (tagName === 'header' && !isInside(element, 'article') && !isInside(element, 'main'))
    return hasHeading(element) ? undefined : 'header';
  if (KEPT.has(tagName)) return undefined;
  const why = names.flatMap((name) => WHY.get(name) ?? [])[0];
  // A class such as `padding-below-nav` names the place where the text of a page begins.
  return why === 'navigation' && hasHeading(element) && !hasLinks(element) ? undefined : why;
}

const isHidden = (element: HtmlElement): boolean =>
  attributeOf(element, 'hidden') !== undefined ||
  attributeOf(element, 'aria-hidden') === 'true' ||
  /display\s*:\s*none|visibility\s*:\s*hidden/iu.test(attributeOf(element, 'style') ?? '');

/**
 * Whether an element is the one that a reader sees of several variants, for instance one for each operating system. A
 * script of the page shows one of them; until then all are hidden. It is the variant that is named as the default, or
 * else the last one.
 */
function isShownByScript(element: HtmlElement): boolean {
  const beside = element.parentNode!.childNodes;
  const wordings = beside.filter(isElement);
  const isSwitch =
    wordings.length > 1 &&
    wordings.every((each) => each.tagName === element.tagName && isHidden(each)) &&
    beside.every((node) => !isText(node) || node.value.trim() === '');
  if (!isSwitch) return false;
  return element === (wordings.find((each) => namesOf(each)[0]?.startsWith('default')) ?? wordings.at(-1));
}

/**
 * Whether an id describes the content of a part and not its role on the page: it has words of its heading, or many
 * words.
 */
function isAboutContent(element: HtmlElement): boolean {
  const id = attributeOf(element, 'id');
  if (id === undefined) return false;
  const words = id.toLowerCase().split(/[^a-z0-9]+/u);
  if (words.length > 2 && words.filter((word) => WHY.has(word)).length === 1) return true;
  const heading = element.childNodes.filter(isElement).find(({ tagName }) => HEADINGS.has(tagName));
  return heading !== undefined && slugOf(textBelow(heading)).startsWith(slugOf(id));
}

const slugOf = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

const hasHeading = (element: HtmlElement): boolean =>
  elementsBelow(element).some(({ tagName }) => tagName === 'h1');

const hasLinks = (element: HtmlElement): boolean =>
  elementsBelow(element).some(({ tagName }) => tagName === 'a');

function isInside(element: HtmlElement, tagName: string): boolean {
  for (
    let node: HtmlParent | null = element.parentNode;
    node !== null && isElement(node);
    node = node.parentNode
  )
    if (node.tagName === tagName) return true;
  return false;
}

interface Weight {
  /** The characters that a reader sees. */
  text: number;
  linked: number;
  links: number;
  /** The characters of running text: blocks of some length without their links. */
  content: number;
}

/** A shorter block may be a label, a button or a date, and does not count as running text. */
const SHORTEST = 25;

/** Measures a node and all elements below it. */
function weigh(root: HtmlParent): Map<HtmlParent, Weight> {
  const weights = new Map<HtmlParent, Weight>();
  const elements = [root, ...elementsBelow(root)];
  for (const element of elements) weights.set(element, { text: 0, linked: 0, links: 0, content: 0 });
  // Goes from the innermost element outwards, so that each element is added to its parent when it is complete.
  for (const element of elements.reverse()) {
    const weight = weights.get(element)!;
    let inline = 0;
    let inlineLinked = 0;
    const close = (): void => {
      if (inline >= SHORTEST) weight.content += Math.max(0, inline - inlineLinked);
      inline = 0;
      inlineLinked = 0;
    };
    for (const node of element.childNodes) {
      const [text, linked, isInline] = lengthOf(node, weights);
      if (isInline) {
        inline += text;
        inlineLinked += linked;
      } else close();
      weight.text += text;
      weight.linked += linked;
      if (isElement(node)) {
        weight.links += weights.get(node)!.links;
        weight.content += isInline ? 0 : weights.get(node)!.content;
      }
    }
    close();
    if (isElement(element) && element.tagName === 'a' && isLink(element)) {
      weight.linked = weight.text;
      weight.links += 1;
      weight.content = 0;
    }
  }
  return weights;
}

/** Whether a link only leads to another page. A link whose text is an address counts as content. */
function isLink(element: HtmlElement): boolean {
  const address = attributeOf(element, 'href');
  return address !== undefined && !(address.includes('://') && textBelow(element).trim() === address);
}

function lengthOf(node: HtmlNode, weights: Map<HtmlParent, Weight>): [number, number, boolean] {
  if (isText(node)) return [squeezed(node.value).length, 0, true];
  if (!isElement(node)) return [0, 0, true];
  const { text, linked } = weights.get(node)!;
  const isInline = !isBlock(node) && !node.childNodes.some((each) => isElement(each) && isBlock(each));
  return [text, linked, isInline];
}

/** An element with this share of its parent's running text is the content of the parent. */
const MOST = 0.75;
/** An element that is named like content only counts as such with this many characters of running text. */
const ENOUGH = 250;

/** The element that the page declares as its content, else the smallest one with most of the running text. */
function rootOf(page: HtmlParent): HtmlParent {
  const weights = weigh(page);
  const contentOf = (element: HtmlParent): number => weights.get(element)!.content;
  const elements = elementsBelow(page);
  const h1s = elements.filter(({ tagName }) => tagName === 'h1');
  const named = (is: (element: HtmlElement) => boolean, share: number): HtmlElement | undefined => {
    const found = elements.filter((element) => is(element) && !hasAncestor(element, is));
    const enough = found.filter(
      (element) => contentOf(element) >= ENOUGH && contentOf(element) >= contentOf(page) * share,
    );
    const [largest, second] = enough.sort((a, b) => contentOf(b) - contentOf(a));
    if (largest === undefined) return undefined;
    const titled = enough.filter((element) => h1s.some((h1) => isBelow(h1, element)));
    if (titled.length === 1 && h1s.length === 1) return titled[0];
    return second === undefined || contentOf(second) < contentOf(largest) / 3 ? largest : undefined;
  };
  const body = named(
    (element) => attributeOf(element, 'itemprop')?.split(/\s+/u).includes('articleBody') === true,
    0.3,
  );
  if (body !== undefined) return body;
  const article = named(({ tagName }) => tagName === 'article', 0.3);
  let root: HtmlParent = article ?? page;
  for (;;) {
    const inside: HtmlElement | undefined = root.childNodes
      .filter(isElement)
      .find((element) => contentOf(element) >= contentOf(root) * MOST);
    if (inside === undefined || isOneOfSeveral(inside, weights)) break;
    if (article !== undefined && contentOf(inside) < contentOf(article) * 0.95) break;
    root = inside;
  }
  // A list, a table or a paragraph with almost all text is read together with its parent, and a text together with its
  // title.
  while (isElement(root) && isPart(root) && root.parentNode !== null) root = root.parentNode;
  const [h1] = h1s;
  if (h1 !== undefined && h1s.length === 1) {
    let around: HtmlParent | null = root;
    while (around !== null && isElement(around) && !isBelow(h1, around)) around = around.parentNode;
    if (around !== null && isElement(around) && contentOf(around) < contentOf(root) * 1.3) root = around;
  }
  // A page of a site has links around its content. A saved mail or a note has none, and all of it is content.
  return weights.get(root)!.links === weights.get(page)!.links ? page : root;
}

const isPart = ({ tagName }: HtmlElement): boolean =>
  !['div', 'article', 'main', 'section', 'body', 'td'].includes(tagName);

/**
 * Whether an element has a heading beside it, or is one of several similar sections: then the text continues around it.
 */
function isOneOfSeveral(element: HtmlElement, weights: Map<HtmlParent, Weight>): boolean {
  const beside = element.parentNode!.childNodes.filter(isElement);
  const before = beside[beside.indexOf(element) - 1];
  if (before !== undefined && HEADINGS.has(before.tagName)) return true;
  const looks = attributeOf(element, 'class') ?? '';
  return beside.some(
    (other) =>
      other !== element &&
      other.tagName === element.tagName &&
      (attributeOf(other, 'class') ?? '') === looks &&
      (looks !== '' || element.tagName === 'section') &&
      weights.get(other)!.content > 0,
  );
}

const isBelow = (element: HtmlElement, root: HtmlParent): boolean =>
  element !== root && isAttached(element, root);

function hasAncestor(element: HtmlElement, is: (element: HtmlElement) => boolean): boolean {
  for (let node = element.parentNode; node !== null && isElement(node); node = node.parentNode)
    if (is(node)) return true;
  return false;
}

/** Whether a block consists mostly of links. */
function isLinks(element: HtmlElement, weights: Map<HtmlParent, Weight>): boolean {
  if (!['ul', 'ol', 'div', 'section', 'table', 'p', 'dl'].includes(element.tagName)) return false;
  const weight = weights.get(element)!;
  return weight.links > 1 && weight.linked / Math.max(1, weight.text) > 0.7;
}

/** The beginnings of headings that come after the end of the text, in English and German. */
const END =
  /^(?:more (?:from|in|on|stories|news|articles|like this|to explore)\b|related\b|recommended\b|you (?:may|might) (?:also )?(?:like|be interested)|read (?:more|next|also)\b|most (?:read|popular|viewed)\b|popular (?:posts|articles|stories)|latest (?:news|stories|posts|articles)|trending\b|top stories|up next|next article|leave a (?:reply|comment)|(?:\d+ )?comments?$|join the (?:conversation|discussion)|share this|follow us|subscribe$|sign up$|newsletter$|about the author|want more|sponsored|around the web|from our partners|mehr (?:zum thema|aus|von|lesen)|lesen sie auch|das könnte (?:sie|dich)|ähnliche (?:artikel|beiträge|themen)|verwandte (?:artikel|themen|beiträge)|weitere (?:artikel|beiträge|nachrichten|meldungen)|auch interessant|meistgelesen|beliebte (?:artikel|beiträge)|kommentare?$|(?:einen )?kommentar (?:schreiben|hinterlassen|verfassen)|schreiben sie einen kommentar|folgen sie uns|teilen$|diesen (?:artikel|beitrag) teilen)/iu;

const HEADINGS = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6']);

/** Such headings with everything below them, if that has links to other pages and is not most of the page. */
function afterTheEnd(root: HtmlParent, weights: Map<HtmlParent, Weight>): HtmlElement[] {
  const total = weights.get(root)!.content;
  return elementsBelow(root).flatMap((heading) => {
    const { parentNode } = heading;
    if (parentNode === null || weights.get(heading)!.text > 60 || !END.test(textBelow(heading).trim()))
      return [];
    // A sentence with such a beginning belongs to the text if it has no link.
    if (!HEADINGS.has(heading.tagName))
      return (heading.tagName === 'p' || heading.tagName === 'div') &&
        (weights.get(heading)!.links > 0 || !/\p{L}[.!?]$/u.test(textBelow(heading).trim()))
        ? [heading]
        : [];
    const following = parentNode.childNodes
      .slice(parentNode.childNodes.indexOf(heading) + 1)
      .filter(isElement);
    const end = following.findIndex(({ tagName }) => HEADINGS.has(tagName) && tagName <= heading.tagName);
    const part = [heading, ...(end === -1 ? following : following.slice(0, end))];
    const sum = (of: 'content' | 'text' | 'linked'): number =>
      part.reduce((all, element) => all + weights.get(element)![of], 0);
    return sum('content') < total * 0.4 && sum('linked') >= (sum('text') - weights.get(heading)!.text) * 0.2
      ? part
      : [];
  });
}

/** Cards with one linked heading each, which lead to other articles. On a page that consists of cards they are kept. */
function teasers(root: HtmlParent, weights: Map<HtmlParent, Weight>): HtmlElement[] {
  const cards = elementsBelow(root).flatMap((heading) => {
    if (!HEADINGS.has(heading.tagName) || heading.tagName === 'h1') return [];
    const weight = weights.get(heading)!;
    if (weight.text === 0) return [];
    const isLinked = weight.linked >= weight.text * 0.9 || isInsideLink(heading);
    const target = elementsBelow(heading).find(({ tagName }) => tagName === 'a');
    if (!isLinked || (target !== undefined && attributeOf(target, 'href')?.startsWith('#') === true))
      return [];
    let card: HtmlElement = heading;
    for (
      let around = card.parentNode;
      around !== null && around !== root && isElement(around);
      around = around.parentNode
    ) {
      const headings = elementsBelow(around).filter(({ tagName }) => HEADINGS.has(tagName));
      if (headings.length > 1 || weights.get(around)!.content > 600) break;
      card = around;
    }
    return card === heading ? [] : [card];
  });
  const content = cards.reduce((sum, card) => sum + weights.get(card)!.content, 0);
  return cards.length >= 2 && content < weights.get(root)!.content * 0.6 ? cards : [];
}

const isInsideLink = (element: HtmlElement): boolean =>
  hasAncestor(element, ({ tagName }) => tagName === 'a');

/** The nodes above the title of a page, if it has one `h1` with its content below. */
function aboveTitle(root: HtmlParent, weights: Map<HtmlParent, Weight>): HtmlElement[] {
  const h1s = elementsBelow(root).filter(({ tagName }) => tagName === 'h1');
  const [h1] = h1s;
  if (h1 === undefined || h1s.length > 1) return [];
  const above: HtmlElement[] = [];
  for (let node: HtmlElement = h1; node !== root;) {
    const { parentNode } = node;
    if (parentNode === null) return [];
    for (const before of parentNode.childNodes.slice(0, parentNode.childNodes.indexOf(node)))
      if (isElement(before)) above.push(before);
    if (!isElement(parentNode)) break;
    node = parentNode;
  }
  const content = above.reduce((sum, element) => sum + weights.get(element)!.content, 0);
  return content < weights.get(root)!.content * 0.5 ? above : [];
}
