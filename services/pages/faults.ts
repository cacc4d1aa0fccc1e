import { el, find } from './dom.ts';

/** Shows a fault at its field until the field is changed. */
export function showFault(field: HTMLElement, message: string): void {
  clearFault(field);
  const id = `fault-${(count += 1)}`;
  field.setAttribute('aria-invalid', 'true');
  field.setAttribute('aria-errormessage', id);
  // More screen readers support `aria-describedby` than `aria-errormessage`.
  field.setAttribute('aria-describedby', [...describedBy(field), id].join(' '));
  field.after(el('p.fault', { id }, message));
  field.addEventListener('input', () => clearFault(field), { once: true });
}

export function clearFaults(form: HTMLElement): void {
  for (const field of form.querySelectorAll('[aria-invalid]')) clearFault(field);
}

/** Scrolls to the first faulty field and focuses it. */
export function goToFault(form: HTMLElement): void {
  const field = find('[aria-invalid]', undefined, form);
  const around = field.closest('details');
  if (around !== null) around.open = true;
  field.focus();
}

function clearFault(field: Element): void {
  if (!field.hasAttribute('aria-invalid')) return;
  const fault = field.getAttribute('aria-errormessage');
  if (fault !== null) document.getElementById(fault)?.remove();
  const others = describedBy(field).filter((id) => id !== fault);
  if (others.length === 0) field.removeAttribute('aria-describedby');
  else field.setAttribute('aria-describedby', others.join(' '));
  field.removeAttribute('aria-invalid');
  field.removeAttribute('aria-errormessage');
}

const describedBy = (field: Element): string[] =>
  (field.getAttribute('aria-describedby') ?? '').split(' ').filter(Boolean);

let count = 0;
