import { el } from './dom.js';

/** Shows at a field what is wrong with it, until it is changed. */
export function showFault(field, message) {
  clearFault(field);
  const id = `fault-${(count += 1)}`;
  field.setAttribute('aria-invalid', 'true');
  field.setAttribute('aria-errormessage', id);
  // Read out by more screen readers than the message of an error.
  field.setAttribute('aria-describedby', [...describedBy(field), id].join(' '));
  field.after(el('p', { id, className: 'fault' }, message));
  field.addEventListener('input', () => clearFault(field), { once: true });
}

export function clearFaults(form) {
  for (const field of form.querySelectorAll('[aria-invalid]')) clearFault(field);
}

/** The first field at fault comes into view and is ready to be corrected. */
export function goToFault(form) {
  const field = form.querySelector('[aria-invalid]');
  const around = field.closest('details');
  if (around !== null) around.open = true;
  field.focus();
}

function clearFault(field) {
  if (!field.hasAttribute('aria-invalid')) return;
  const fault = field.getAttribute('aria-errormessage');
  document.getElementById(fault)?.remove();
  const others = describedBy(field).filter((id) => id !== fault);
  if (others.length === 0) field.removeAttribute('aria-describedby');
  else field.setAttribute('aria-describedby', others.join(' '));
  field.removeAttribute('aria-invalid');
  field.removeAttribute('aria-errormessage');
}

const describedBy = (field) => (field.getAttribute('aria-describedby') ?? '').split(' ').filter(Boolean);

let count = 0;
