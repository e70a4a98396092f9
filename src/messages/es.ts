import type { RampMessages } from './RampMessages.js';

/** Spanish. */
export const messages: RampMessages = {
  buy: 'Comprar cripto',
  opening: 'Abriendo el pago…',
  failed: 'No se pudo abrir el pago.',
  offline: 'No se pudo conectar con la tienda. Comprueba tu conexión.',
  retry: 'Intentar de nuevo',
  blocked: 'La ventana fue bloqueada.',
  openHere: 'Abre el pago aquí.',
  checkout: 'Pago',
  close: 'Cerrar el pago',
  newWindow: 'Abrir en una ventana nueva',
  loading: 'Cargando el pago…',
  slow: 'El pago no aparece. Tal vez se abra en una ventana nueva.',
};
