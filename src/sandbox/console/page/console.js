// The page of the console. It shows every value as text, never as markup.

const token = document.querySelector('meta[name="console-token"]').content;
const byId = (id) => document.getElementById(id);
const POLL_MS = 1000;

/** Creates an element. Children that are strings become text. */
function create(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes))
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (value !== undefined && value !== false) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

async function send(path, body) {
  const response = await fetch(`/api${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { 'X-Console-Token': token, ...(body && { 'Content-Type': 'application/json' }) },
    body: body && JSON.stringify(body),
  });
  if (response.status === 204) return undefined;
  const result = await response.json();
  if (!response.ok) throw new Error(result.error?.message ?? `Status ${response.status}`);
  return result;
}

/** `fetch` rejects with a TypeError if the console has stopped listening. */
const describeError = (error) =>
  error instanceof TypeError ? 'The sandbox has stopped.' : error.message;

const kinds = { 'widget-url': 'widget', 'api-request': 'api', webhook: 'webhook' };
const formatTime = (time) => new Date(time).toISOString().slice(11, 19);

let lastId = 0;
let selectedId;
let entryCount = 0;
let refusedCount = 0;
const describeCount = () =>
  `${entryCount} ${entryCount === 1 ? 'message' : 'messages'}, ${refusedCount} refused`;

function addEntry(entry) {
  lastId = Math.max(lastId, entry.id);
  entryCount += 1;
  if (!entry.isAccepted) refusedCount += 1;
  const button = create(
    'button',
    {
      type: 'button',
      'data-id': entry.id,
      'aria-pressed': 'false',
      onclick: () => select(entry.id),
    },
    create('time', { datetime: new Date(entry.time).toISOString() }, formatTime(entry.time)),
    create(
      'span',
      { class: entry.isAccepted ? 'mark' : 'mark wrong' },
      create('span', { 'aria-hidden': 'true' }, entry.isAccepted ? '✓' : '✕'),
      create('span', { class: 'hidden' }, entry.isAccepted ? 'accepted' : 'refused'),
    ),
    create('span', { class: 'kind' }, kinds[entry.kind]),
    create('span', { class: 'title' }, entry.title),
    create('span', { class: 'result' }, entry.result),
    ...(entry.fault ? [create('span', { class: 'tag' }, `fault: ${entry.fault}`)] : []),
  );
  const item = create('li', entry.isAccepted ? {} : { class: 'refused' }, button);
  byId('entries').prepend(item);
  while (byId('entries').children.length > 200) byId('entries').lastChild.remove();
}

async function select(id) {
  selectedId = id;
  for (const button of byId('entries').querySelectorAll('button'))
    button.setAttribute('aria-pressed', String(button.dataset.id === String(id)));
  const body = byId('detail-body');
  body.replaceChildren(create('p', { class: 'empty' }, 'Trying the known mistakes…'));
  try {
    const entry = await send(`/entries/${id}`);
    if (selectedId !== id) return;
    byId('detail-title').textContent = `${formatTime(entry.time)} ${entry.title}`;
    body.replaceChildren(...renderDetail(entry));
    if (matchMedia('(max-width: 800px)').matches) byId('detail-title').focus();
  } catch (error) {
    body.replaceChildren(create('p', { class: 'empty' }, error.message));
  }
}

function renderDetail({ id, kind, isAccepted, result, message, fault, explanation }) {
  const parts = [
    create(
      'p',
      { class: isAccepted ? 'verdict' : 'verdict wrong' },
      `${isAccepted ? '✓' : '✕'} ${result}`,
    ),
  ];
  if (fault) parts.push(create('p', {}, `The sandbox injected the fault ${fault}.`));
  const named = explanation?.mistakes ?? [];
  // The API's long message repeats the text that is shown below.
  if (message && named.length === 0)
    parts.push(create('p', { class: 'why' }, message.replace(/ Sign this text .*/s, '')));
  if (!explanation) return [...parts, create('p', { class: 'empty' }, 'It has no signature.')];
  if (named.length > 0)
    parts.push(create('h3', {}, 'Why the signature is wrong'), renderMistakes(named));
  parts.push(...renderNotes(explanation));
  const { expected, signed, isRight } = explanation;
  const common = signed && findCommonParts(expected.parts, signed.parts);
  parts.push(
    create('h3', {}, isRight ? 'The signed text' : 'The text to sign'),
    renderText(expected, common?.[0], 'missing'),
  );
  if (signed)
    parts.push(
      create('h3', {}, 'The text that was signed'),
      renderText(signed, common[1], 'extra'),
    );
  parts.push(renderLegend(signed !== undefined));
  if (!isRight && named.length === 0)
    parts.push(renderComparison(id, 'Paste the text that your signer signed'));
  else if (kind === 'webhook' && isRight && !isAccepted && !fault)
    parts.push(renderComparison(id, 'Paste the text that your backend verified'));
  return parts;
}

const renderMistakes = (mistakes) =>
  create(
    'ol',
    { class: 'mistakes' },
    ...mistakes.map(({ id, what, fix }) =>
      create('li', {}, create('code', {}, id), create('strong', {}, what), create('span', {}, fix)),
    ),
  );
const renderNotes = ({ notes }) => notes.map((note) => create('p', { class: 'why' }, note));

/** Asks for the signer's text, and shows where it first differs from the text to sign. */
function renderComparison(id, label) {
  const field = create('textarea', {
    id: 'signer-text',
    rows: '4',
    autocapitalize: 'off',
    autocomplete: 'off',
    spellcheck: 'false',
  });
  const result = create('div', { role: 'status' });
  const compare = async (event) => {
    event.preventDefault();
    try {
      result.replaceChildren(
        ...renderDifference(await send(`/entries/${id}/signer-text`, { text: field.value })),
      );
    } catch (error) {
      result.replaceChildren(create('p', { class: 'why' }, error.message));
    }
  };
  return create(
    'form',
    { class: 'compare', onsubmit: compare },
    create('label', { for: field.id }, label),
    field,
    create(
      'div',
      { class: 'buttons' },
      create('button', { type: 'submit' }, 'Show the first difference'),
    ),
    result,
  );
}

function renderDifference({ mistakes, notes, expected, signed, difference }) {
  const parts = renderNotes({ notes });
  if (mistakes.length > 0) parts.push(renderMistakes(mistakes));
  if (!difference) return parts;
  const { at } = difference;
  const excerpt = (title, { text }, rest, kind) => {
    const [first = '', ...others] = rest;
    return [
      create('dt', {}, title),
      create(
        'dd',
        {},
        (at > 16 ? '…' : '') + showSpaces([...text].slice(Math.max(at - 16, 0), at).join('')),
        create('mark', { class: kind }, showSpaces(first) || '∅'),
        showSpaces(others.join('')),
      ),
    ];
  };
  return [
    create('h3', {}, 'The first difference'),
    create(
      'p',
      { class: 'why' },
      `Character ${at + 1}: expected ${nameCharacter(difference.expected)}, found ${nameCharacter(difference.given)}.`,
    ),
    create(
      'dl',
      { class: 'excerpts' },
      ...excerpt('To sign', expected, difference.expected, 'missing'),
      ...excerpt('Yours', signed, difference.given, 'extra'),
    ),
    ...parts,
  ];
}

const characterNames = {
  ' ': 'a space',
  '\n': 'a line break',
  '\r': 'a carriage return',
  '\t': 'a tab',
  '\u00a0': 'a no-break space',
  '\u200b': 'a zero-width space',
  '\ufeff': 'a byte order mark',
};

/** Names a text's first character and its code, because different characters may look alike. */
function nameCharacter(text) {
  const [character] = text;
  if (character === undefined) return 'the end of the text';
  const code = character.codePointAt(0).toString(16).toUpperCase().padStart(4, '0');
  return `${characterNames[character] ?? `“${character}”`} (U+${code})`;
}
const shownSpaces = {
  ' ': '␣',
  '\n': '↵',
  '\r': '␍',
  '\t': '⇥',
  '\u00a0': '⍽',
  '\u200b': '[U+200B]',
  '\ufeff': '[U+FEFF]',
};
const showSpaces = (text) => [...text].map((each) => shownSpaces[each] ?? each).join('');

/** Shows a text part by part. Parts that the other text lacks are marked by their shape and by words. */
function renderText({ parts }, common, difference) {
  const shown = parts.flatMap((part, at) => {
    const span = create('span', { class: `part-${part.kind}` }, part.text.replaceAll('\n', '↵'));
    const isDifferent = common && !common.has(at);
    const element = isDifferent
      ? create(
          'mark',
          { class: difference },
          create('span', { class: 'hidden' }, `[${difference}: `),
          span,
          create('span', { class: 'hidden' }, ']'),
        )
      : span;
    return part.kind === 'separator' && part.text === '&' ? [element, create('wbr')] : [element];
  });
  return create(
    'p',
    { class: 'signed-text', tabindex: '0', role: 'group', 'aria-label': 'Signed text' },
    ...shown,
  );
}

const renderLegend = (hasDifferences) =>
  create(
    'p',
    { class: 'legend' },
    create('span', { class: 'part-key' }, 'key'),
    create('span', { class: 'part-separator' }, '='),
    create('span', { class: 'part-value' }, 'value'),
    ...(hasDifferences
      ? [
          create('mark', { class: 'missing' }, 'only in the text to sign'),
          create('mark', { class: 'extra' }, 'only in the text that was signed'),
        ]
      : []),
  );

/** Returns the positions of the parts that both texts have in the same order (longest common subsequence). */
function findCommonParts(a, b) {
  const isSame = (i, j) => a[i].kind === b[j].kind && a[i].text === b[j].text;
  const lengths = Array.from({ length: a.length + 1 }, () => new Array(b.length + 1).fill(0));
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      lengths[i][j] = isSame(i, j)
        ? lengths[i + 1][j + 1] + 1
        : Math.max(lengths[i + 1][j], lengths[i][j + 1]);
  const common = [new Set(), new Set()];
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (isSame(i, j)) {
      common[0].add(i++);
      common[1].add(j++);
    } else if (lengths[i + 1][j] >= lengths[i][j + 1]) i++;
    else j++;
  }
  return common;
}

const actionNames = {
  finish: 'Finish',
  settle: 'Settle',
  fail: 'Fail',
  refund: 'Refund',
  resend: 'Resend webhook',
  'resend-anew': 'Resend, signed anew',
  lose: 'Lose webhook',
  delay: 'Delay webhook',
};
const hints = {
  fail: 'It never appears in the order list.',
  refund: 'Not in the interface: only a mark here. Your backend learns nothing.',
};
const nftStatus = { 1: 'finished', 2: 'settlement', 3: 'settled' };

let shownOrders = '';

function showOrders(orders) {
  const text = JSON.stringify(orders);
  if (text === shownOrders) return;
  shownOrders = text;
  const focused = document.activeElement?.dataset?.action;
  byId('no-orders').hidden = orders.length > 0;
  byId('orders').replaceChildren(
    ...orders.map((order) => {
      const { orderId, step, isNft, orderStatus, isRefunded, paid, bought, ext, actions } = order;
      const state = step === 'finished' && isNft ? nftStatus[orderStatus] : step;
      return create(
        'li',
        {},
        create(
          'div',
          { class: 'order-head' },
          create('strong', {}, bought),
          create('span', {}, `for ${paid}`),
          create('span', { class: `state ${step}` }, state),
          ...(isRefunded
            ? [create('span', { class: 'tag' }, 'refunded (not in the interface)')]
            : []),
        ),
        create(
          'p',
          { class: 'ids' },
          create('code', {}, orderId),
          ...(ext ? [' ', create('code', { class: 'ext' }, `ext ${ext}`)] : []),
        ),
        create(
          'div',
          { class: 'buttons' },
          ...actions.map((action) =>
            create(
              'button',
              {
                type: 'button',
                'data-action': `${orderId} ${action}`,
                title: hints[action],
                onclick: () => act(orderId, action),
              },
              actionNames[action],
              // The space separates the words for screen readers.
              ...(action === 'refund' ? [' ', create('small', {}, 'not in the interface')] : []),
              ...(action === 'fail' ? [' ', create('small', {}, 'never listed')] : []),
            ),
          ),
        ),
      );
    }),
  );
  // The list was rebuilt, so give the focus to the new element of the button that had it.
  if (focused) document.querySelector(`[data-action="${CSS.escape(focused)}"]`)?.focus();
}

const isEdited = (field) => document.activeElement === field;

function showFaults(faults) {
  for (const name of ['webhookFault', 'apiFault', 'faultRate', 'latencyMs']) {
    const field = byId(name);
    if (faults[name] === 'function' && !field.querySelector('[value="function"]'))
      field.append(create('option', { value: 'function', disabled: '' }, 'by a function'));
    if (!isEdited(field)) field.value = faults[name] ?? '';
  }
  for (const box of document.querySelectorAll('[data-quirk]'))
    if (!isEdited(box)) box.checked = faults.quirks[box.dataset.quirk] === true;
}

async function change(path, body, done) {
  try {
    await send(path, body);
    byId('message').textContent = '';
    // The update may announce new messages in the same place, so announce both after it.
    await update();
    announce(`${done} ${describeCount()}`);
  } catch (error) {
    byId('message').textContent = describeError(error);
    // The page may be out of date and show a button that no longer works.
    await update();
  }
}
const act = (orderId, action) =>
  change(
    '/orders',
    { orderId, action },
    action === 'lose' || action === 'delay'
      ? `${actionNames[action]}: applies to the next webhook of this order.`
      : `${actionNames[action]}: done.`,
  );

byId('faults').addEventListener('change', ({ target }) => {
  const { quirk } = target.dataset;
  const value = target.type === 'number' ? Number(target.value) : target.value || null;
  change(
    '/faults',
    quirk ? { quirks: { [quirk]: target.checked } } : { [target.id]: value },
    'Fault changed.',
  );
});
byId('faults').addEventListener('submit', (event) => event.preventDefault());
byId('only-refused').addEventListener('change', ({ target }) =>
  byId('entries').classList.toggle('only-refused', target.checked),
);
// The arrow keys move through the messages.
byId('entries').addEventListener('keydown', (event) => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step) return;
  const buttons = [...byId('entries').querySelectorAll('button')].filter(
    (button) => button.offsetParent,
  );
  const next = buttons[buttons.indexOf(document.activeElement) + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
});

function announce(text) {
  if (byId('connection').textContent !== text) byId('connection').textContent = text;
}
let isLost = true;

async function update() {
  try {
    const { entries, orders, faults } = await send(`/state?after=${lastId}`);
    for (const entry of entries) addEntry(entry);
    byId('no-entries').hidden = entryCount > 0;
    showOrders(orders);
    showFaults(faults);
    if (entries.length > 0 || isLost) announce(describeCount());
    isLost = false;
  } catch (error) {
    isLost = true;
    announce(describeError(error));
  }
}

for (;;) {
  if (!document.hidden) await update();
  await new Promise((resolve) => setTimeout(resolve, POLL_MS));
}
