import type { RampMessages } from './RampMessages.js';

/** French. */
export const messages: RampMessages = {
  buy: 'Acheter des cryptos',
  opening: 'Ouverture du paiement…',
  failed: 'Le paiement n’a pas pu s’ouvrir.',
  offline: 'La boutique est injoignable. Vérifiez votre connexion.',
  retry: 'Réessayer',
  blocked: 'La fenêtre a été bloquée.',
  openHere: 'Ouvrir le paiement ici.',
  checkout: 'Paiement',
  close: 'Fermer le paiement',
  newWindow: 'Ouvrir dans une nouvelle fenêtre',
  loading: 'Chargement du paiement…',
  slow: 'Le paiement n’apparaît pas. Il s’ouvrira peut-être dans une nouvelle fenêtre.',
};
