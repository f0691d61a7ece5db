import type { Words } from './words.ts'

export const es: Words = {
  language: 'Español',
  languages: 'Idioma',
  tagline: 'Cada agente, cada cola y cada ejecución es un diagrama de estados duradero.',
  signIn: {
    title: 'Iniciar sesión',
    lead: 'Vea qué hacen sus agentes.',
    submit: 'Iniciar sesión',
    busy: 'Iniciando sesión…',
    toRegister: 'Crear una cuenta',
    closed: '¿No tiene cuenta? Cualquier usuario de este servidor puede crearle una.',
  },
  register: {
    title: 'Crear una cuenta',
    firstTitle: 'Crear la primera cuenta',
    lead: 'El registro está abierto en este servidor.',
    firstLead: 'Este servidor es nuevo. La primera cuenta lo abre y cierra el registro tras de sí.',
    submit: 'Crear cuenta',
    busy: 'Creando la cuenta…',
    toSignIn: 'Iniciar sesión con una cuenta que ya tiene',
    closedTitle: 'El registro está cerrado',
    closedLead: 'Pida a un usuario de este servidor que le cree una cuenta o que abra el registro.',
  },
  provider: {
    signIn: 'Iniciar sesión con {provider}',
    register: 'Continuar con {provider}',
    busy: 'De camino a {provider}…',
    or: 'o',
  },
  fields: {
    name: 'Nombre',
    email: 'Correo electrónico',
    password: 'Contraseña',
    newPassword: 'Contraseña nueva',
    passwordRule: 'De 8 a 128 caracteres. Unas cuantas palabras seguidas son seguras y fáciles de recordar.',
    show: 'Mostrar la contraseña',
    hide: 'Ocultar la contraseña',
  },
  problems: {
    wrongPassword: 'El correo electrónico o la contraseña no son correctos.',
    emailTaken: 'Ya hay una cuenta con este correo electrónico. Inicie sesión con ella o use otro.',
    registrationClosed: 'El registro está cerrado. Pida una cuenta a un usuario de este servidor.',
    wayTurnedOff: 'Esta forma de iniciar sesión se ha desactivado. Recargue la página para ver las que quedan.',
    rateLimited: 'Demasiados intentos. Vuelva a intentarlo {when}.',
    invalidOrigin:
      'El servidor no confía en la dirección con la que abrió esta página. Ábrala con su dirección pública o haga que la añadan a APP_ORIGINS.',
    unavailable: 'El servidor no puede hacerlo ahora. Vuelva a intentarlo {when}.',
    disconnected:
      'No hay conexión con el servidor. Compruebe la suya y vuelva a intentarlo; lo que escribió sigue aquí.',
    unknown:
      'Algo ha fallado en el servidor. Vuelva a intentarlo; si continúa, dé a su operador el número {requestId}.',
    nameMissing: 'Escriba su nombre.',
    emailMissing: 'Escriba su correo electrónico.',
    emailInvalid: 'Escriba un correo electrónico completo, como ada@example.com.',
    passwordMissing: 'Escriba su contraseña.',
    passwordLength: 'Una contraseña tiene de 8 a 128 caracteres; esta tiene {length}.',
    passwordGuessable:
      'Esta contraseña se adivinaría pronto: es muy común, o poco más que su nombre o su dirección. Elija otra.',
    accessDenied: 'El proveedor no le dejó entrar, o usted cambió de idea. Puede volver a intentarlo.',
    signInFailed: 'No se pudo iniciar sesión. Vuelva a intentarlo; si continúa, el registro del servidor dice por qué.',
    providerFailed:
      'La respuesta del proveedor no sirve. Vuelva a intentarlo; si continúa, el registro del servidor dice por qué.',
    providerUnavailable: 'El proveedor no responde. Vuelva a intentarlo en un momento.',
    providerEmailMissing:
      'El proveedor no dio ningún correo electrónico, y una cuenta lo necesita. Añádalo allí y vuelva a intentarlo.',
    accountExists: 'Otra cuenta tiene su correo electrónico, y eso por sí solo no las une. Inicie sesión como antes.',
    accountDisabled: 'Su cuenta está desactivada. Un usuario de este servidor puede activarla.',
    flowUnknown: 'Este inicio de sesión empezó en otro lugar, o empezó otro después. Empiece de nuevo.',
    flowExpired: 'Este inicio de sesión tardó más de diez minutos. Empiece de nuevo.',
    notFound: 'No hay ninguna página en esta dirección. Quizá está mal escrita.',
    notNow: 'El servidor no llega a su base de datos en este momento. No se ha perdido nada; vuelva a intentarlo.',
  },
  problemPages: { notFound: 'Aquí no hay ninguna página', notNow: 'Ahora no es posible', failed: 'No ha funcionado' },
  toHome: 'Ir a Signalbox',
  noScript: 'Para iniciar sesión hace falta JavaScript. Actívelo para esta página y recárguela.',
  requestId: 'Petición {requestId}',
}
