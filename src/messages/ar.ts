import type { RampMessages } from './RampMessages.js';

/** Arabic. */
export const messages: RampMessages = {
  buy: 'شراء العملات المشفّرة',
  opening: 'جارٍ فتح صفحة الدفع…',
  failed: 'تعذّر فتح صفحة الدفع.',
  offline: 'تعذّر الوصول إلى المتجر. تحقّق من اتصالك.',
  retry: 'حاول مرة أخرى',
  blocked: 'تم حظر النافذة.',
  openHere: 'افتح صفحة الدفع هنا.',
  checkout: 'الدفع',
  close: 'إغلاق صفحة الدفع',
  newWindow: 'فتح في نافذة جديدة',
  loading: 'جارٍ تحميل صفحة الدفع…',
  slow: 'لا تظهر صفحة الدفع. قد تفتح في نافذة جديدة.',
};
