// SPDX-FileCopyrightText: The Mortise authors
// SPDX-License-Identifier: Apache-2.0

'use strict';

// More rows than these nobody reads, and a browser takes long to draw.
const MOST_ROWS = 500;
const EVERY_MS = 2000;

const state = { told: null, key: 'waiters', descending: true };
const element = (id) => document.getElementById(id);

function duration(ms) {
  if (ms === null) {
    return '?';
  }
  if (ms < 60000) {
    return (ms / 1000).toFixed(1) + ' s';
  }
  const seconds = Math.floor(ms / 1000);
  const parts = [
    [Math.floor(seconds / 3600), 'h'],
    [Math.floor(seconds / 60) % 60, 'm'],
    [seconds % 60, 's'],
  ];
  return parts.filter(([amount]) => amount > 0).map(([amount, unit]) => amount + ' ' + unit).join(' ');
}

// Invisible characters could make one name look like another.
function visible(text) {
  return text.replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Cs}]/gu, (c) => '\\u{' + c.codePointAt(0).toString(16) + '}');
}

function compared(one, other) {
  const a = one[state.key];
  const b = other[state.key];
  if (a === b) {
    return one.lock < other.lock ? -1 : 1;
  }
  const order = a === null ? -1 : b === null ? 1 : a < b ? -1 : 1;
  return state.descending ? -order : order;
}

function row(lock) {
  const cells = [
    visible(lock.lock),
    visible(lock.holder) + (lock.revoked === null ? '' : ' (revoked: ' + visible(lock.revoked) + ')'),
    duration(lock.held_ms),
    duration(lock.remaining_ms),
    lock.waiters === null ? '?' : lock.waiters,
    lock.changes_per_second.toFixed(1),
    lock.fencing_token === 0 ? '–' : lock.fencing_token,
  ];
  const line = document.createElement('tr');
  for (const cell of cells) {
    line.appendChild(document.createElement('td')).textContent = cell;
  }
  return line;
}

function draw() {
  const told = state.told;
  if (told === null) {
    return;
  }
  const wanted = element('filter').value.toLowerCase();
  const found = told.locks.filter(
    (lock) => lock.lock.toLowerCase().includes(wanted) || lock.holder.toLowerCase().includes(wanted),
  );
  found.sort(compared);
  element('locks').replaceChildren(...found.slice(0, MOST_ROWS).map(row));
  const hidden = found.length - MOST_ROWS;
  element('rest').textContent =
    (hidden > 0 ? 'and ' + hidden + ' others; write a part of a name above to see them. ' : '') +
    (told.more ? 'The store has more locks than were read.' : '');
  for (const head of document.querySelectorAll('th')) {
    const chosen = head.firstElementChild.dataset.key === state.key;
    head.setAttribute('aria-sort', chosen ? (state.descending ? 'descending' : 'ascending') : 'none');
  }
}

function say(text, failed) {
  element('state').textContent = text;
  element('state').className = failed ? 'failed' : '';
}

async function ask() {
  try {
    const answer = await fetch('/locks.json', { cache: 'no-store' });
    if (!answer.ok) {
      throw new Error('the server answered ' + answer.status);
    }
    state.told = await answer.json();
    const told = state.told;
    const waiting = told.locks.reduce((sum, lock) => sum + (lock.waiters || 0), 0);
    element('store').textContent = visible(told.store);
    if (told.failure === null && told.age_ms > 2 * EVERY_MS) {
      say('The store has not answered for ' + duration(told.age_ms) + '; this is what was.', true);
    } else if (told.failure === null) {
      say(told.locks.length + (told.more ? ' or more' : '') + ' held, ' + waiting + ' waiting, answered in ' + told.took_ms + ' ms', false);
    } else {
      say('The store does not answer; this is what was: ' + visible(told.failure), true);
    }
    draw();
  } catch (failure) {
    say('mortise serve does not answer; this is what was. ' + failure.message, true);
  } finally {
    setTimeout(ask, EVERY_MS);
  }
}

for (const button of document.querySelectorAll('th button')) {
  button.addEventListener('click', () => {
    state.descending = state.key === button.dataset.key ? !state.descending : true;
    state.key = button.dataset.key;
    draw();
  });
}
element('filter').addEventListener('input', draw);
ask();
