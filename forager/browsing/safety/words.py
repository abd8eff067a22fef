"""The words by which controls say what they do, in the languages of most of the web.

A line holds those of one language; what begins with `=` is a whole label. `CHANGE`: alters
something; `SEND`: hands in; `MAKE`: adds, often in the page alone; `AGREE`: says yes to what
stands around it; `READ`: only looks. `SURE`: how a page asks before it does something; `REFUSED`:
how it tells that it did not.
"""

from typing import Final

CHANGE: Final = """
en: delete, remove, erase, destroy, trash, discard, purge, wipe, empty trash, empty cart, drop,
 unlink, save, publish, unpublish, post, pay, buy, purchase, checkout, check out, place order,
 order now, =order, submit order, book now, =book, reserve, donate, bid, place bid, transfer,
 withdraw, deposit, log out, logout, sign out, signout, log off, logoff, follow, unfollow, like,
 unlike, dislike, vote, upvote, downvote, rate, =watch, unwatch, watch this page, to your watchlist,
 from your watchlist, =star, unstar, favorite, favourite, unfavorite, subscribe, unsubscribe, reply,
 comment, add comment, react, retweet, repost, upload, import, replace, overwrite, approve, reject,
 decline, deny, revoke, grant, archive, unarchive, restore, revert, roll back, rollback, undo,
 merge, reopen, resolve, close issue, close ticket, close account, end session, lock, unlock, pin,
 unpin, ban, block, unblock, mute, flag, report, invite, join, leave, install, uninstall, activate,
 deactivate, enable, disable, reset password, change password, move, rename, duplicate, assign,
 unassign, mark as, mark all, mark read, add to cart, add to basket, add to bag, add to wishlist,
 add to favorites, add to favourites, thank, protect, unprotect, deploy, restart, shut down,
 terminate, execute, trigger, retire, cancel order, cancel subscription, cancel booking,
 cancel reservation, cancel account, cancel membership, cancel appointment, clear history,
 clear cart, clear all data
de: löschen, entfernen, vernichten, verwerfen, papierkorb leeren, speichern, sichern,
 veröffentlichen, posten, bezahlen, zahlen, kaufen, bestellen, kostenpflichtig, zur kasse, buchen,
 reservieren, spenden, bieten, überweisen, abmelden, ausloggen, folgen, entfolgen,
 nicht mehr folgen, gefällt mir, abstimmen, bewerten, beobachten, nicht mehr beobachten, abonnieren,
 abbestellen, kündigen, antworten, kommentieren, hochladen, importieren, ersetzen, überschreiben,
 genehmigen, freigeben, ablehnen, widerrufen, archivieren, wiederherstellen, zurücksetzen auf,
 rückgängig, sperren, entsperren, blockieren, melden, einladen, beitreten, verlassen, installieren,
 deinstallieren, aktivieren, deaktivieren, verschieben, umbenennen, zuweisen, als gelesen,
 in den warenkorb, in den einkaufswagen, stornieren
fr: supprimer, supprimez, effacer, enlever, retirer, jeter, enregistrer, enregistrez, sauvegarder,
 publier, publiez, payer, payez, acheter, achetez, commander, commandez, réserver, donner, virer,
 se déconnecter, déconnexion, déconnecter, suivre, ne plus suivre, j'aime, j aime, voter, noter,
 s'abonner, s abonner, abonnez vous, se désabonner, désabonner, résilier, répondre, commenter,
 téléverser, importer, remplacer, approuver, refuser, rejeter, archiver, restaurer, rétablir,
 verrouiller, bloquer, signaler, inviter, rejoindre, quitter, installer, désinstaller, activer,
 désactiver, déplacer, renommer, marquer comme, ajouter au panier, annuler la commande
es: eliminar, elimina, borrar, quitar, suprimir, descartar, guardar, guarda, publicar, pagar,
 comprar, compra ahora, pedir ahora, hacer pedido, realizar pedido, tramitar pedido, reservar,
 donar, transferir, cerrar sesión, desconectarse, salir de la cuenta, seguir, dejar de seguir,
 me gusta, votar, valorar, suscribirse, suscríbete, suscribirme, darse de baja,
 cancelar suscripción, responder, comentar, subir, importar, reemplazar, sobrescribir, aprobar,
 rechazar, archivar, restaurar, deshacer, bloquear, denunciar, invitar, unirse, abandonar, instalar,
 desinstalar, activar, desactivar, mover, renombrar, marcar como, añadir al carrito,
 agregar al carrito, cancelar pedido, anular pedido
it: elimina, eliminare, cancella, rimuovi, scarta, salva, salvare, pubblica, paga, acquista, compra,
 ordina ora, effettua ordine, prenota, dona, esci, disconnetti, segui, smetti di seguire, mi piace,
 vota, valuta, iscriviti, abbonati, disiscriviti, rispondi, commenta, carica, importa, sostituisci,
 sovrascrivi, approva, rifiuta, archivia, ripristina, blocca, segnala, invita, unisciti, abbandona,
 installa, disinstalla, attiva, disattiva, sposta, rinomina, segna come, aggiungi al carrello,
 annulla ordine
pt: excluir, apagar, eliminar, remover, descartar, salvar, guardar, gravar, publicar, postar, pagar,
 comprar, fazer pedido, finalizar compra, finalizar pedido, reservar, doar, transferir, sair,
 terminar sessão, encerrar sessão, seguir, deixar de seguir, curtir, gosto, votar, avaliar,
 inscrever se, inscreva se, subscrever, assinar, cancelar inscrição, cancelar assinatura, responder,
 comentar, enviar arquivo, carregar ficheiro, importar, substituir, aprovar, rejeitar, arquivar,
 restaurar, desfazer, bloquear, denunciar, convidar, participar, instalar, desinstalar, ativar,
 desativar, mover, renomear, marcar como, adicionar ao carrinho, cancelar pedido
nl: verwijderen, verwijder, wissen, weggooien, opslaan, bewaren, publiceren, plaatsen, betalen,
 kopen, bestellen, afrekenen, boeken, reserveren, doneren, overmaken, uitloggen, afmelden, volgen,
 ontvolgen, niet meer volgen, vind ik leuk, stemmen, beoordelen, abonneren, opzeggen, beantwoorden,
 reageren, uploaden, importeren, vervangen, overschrijven, goedkeuren, afwijzen, archiveren,
 herstellen, ongedaan maken, blokkeren, rapporteren, uitnodigen, deelnemen, installeren, activeren,
 deactiveren, verplaatsen, hernoemen, markeren als, in winkelwagen, in winkelmand
pl: usuń, skasuj, wyrzuć, odrzuć, zapisz, opublikuj, zapłać, kup, kup teraz, kupuję, zamów,
 złóż zamówienie, zarezerwuj, wpłać, przelej, wyloguj, wyloguj się, obserwuj, przestań obserwować,
 lubię to, polub, głosuj, oceń, subskrybuj, zasubskrybuj, anuluj subskrypcję, wypisz się, odpowiedz,
 skomentuj, prześlij plik, importuj, zastąp, nadpisz, zatwierdź, archiwizuj, przywróć, cofnij,
 zablokuj, zgłoś, zaproś, dołącz, opuść, zainstaluj, odinstaluj, aktywuj, włącz, wyłącz, przenieś,
 zmień nazwę, oznacz jako, dodaj do koszyka, anuluj zamówienie
ru: удалить, удалите, удаление, стереть, убрать, сохранить, сохраните, опубликовать, оплатить,
 заплатить, купить, заказать, оформить заказ, забронировать, пожертвовать, перевести деньги, выйти,
 выход, подписаться, отписаться, нравится, голосовать, проголосовать, оценить, ответить,
 комментировать, загрузить файл, импортировать, заменить, одобрить, утвердить, отклонить,
 архивировать, восстановить, отменить заказ, заблокировать, пожаловаться, пригласить, вступить,
 покинуть, установить, активировать, включить, отключить, переместить, переименовать, отметить как,
 в корзину, добавить в корзину
tr: sil, siliniz, kaldır, kaydet, yayınla, paylaş, öde, ödeme yap, satın al, sipariş ver,
 rezervasyon yap, bağış yap, çıkış, çıkış yap, oturumu kapat, takip et, takibi bırak, beğen, oy ver,
 oyla, abone ol, abonelikten çık, yanıtla, yorum yap, yükle, içe aktar, onayla, reddet, arşivle,
 geri yükle, engelle, şikayet et, davet et, katıl, ayrıl, kur, etkinleştir, devre dışı bırak, taşı,
 yeniden adlandır, sepete ekle, siparişi iptal et
sv: ta bort, radera, spara, publicera, betala, köp, beställ, boka, logga ut, följ, sluta följa,
 gilla, rösta, prenumerera, svara, ladda upp, godkänn, avvisa, återställ, blockera,
 lägg i varukorgen
zh: 删除, 刪除, 移除, 清空, 保存, 儲存, 发布, 發布, 发表, 發表, 支付, 付款, 购买, 購買, 下单, 下單,
 结账, 結帳, 结算, 预订, 預訂, 捐款, 转账, 转帐, 退出, 登出, 注销, 關注, 关注, 取消关注, 点赞, 點讚,
 投票, 评分, 订阅, 訂閱, 退订, 回复, 回覆, 评论, 上传, 上傳, 导入, 替换, 覆盖, 批准, 拒绝, 归档,
 恢复, 还原, 撤销, 屏蔽, 举报, 邀请, 加入购物车, 加入購物車, 安装, 卸载, 启用, 禁用, 移动, 重命名,
 标记为, 收藏, 取消订单, 监视
ja: 削除, 消去, 破棄, 保存, 公開, 投稿, 支払, 購入, 注文する, 注文を確定, 予約, 寄付, 送金,
 ログアウト, サインアウト, フォロー, いいね, 投票, 評価する, 購読, 登録解除, 解除, 返信,
 コメントする, アップロード, インポート, 置き換え, 上書き, 承認, 却下, アーカイブ, 復元, 元に戻す,
 ブロック, 通報, 招待, 参加, 退会, インストール, 有効に, 無効に, 移動, 名前を変更, カートに入れる,
 カートに追加, 既読にする, お気に入りに追加, ウォッチ, 注文をキャンセル
ko: 삭제, 제거, 저장, 게시, 발행, 결제, 구매, 주문하기, 예약, 기부, 송금, 로그아웃, 팔로우, 좋아요,
 투표, 평가하기, 구독, 답글, 댓글 달기, 업로드, 가져오기, 교체, 덮어쓰기, 승인, 거절, 보관, 복원,
 되돌리기, 차단, 신고, 초대, 참여, 탈퇴, 설치, 활성화, 비활성화, 이동, 이름 변경, 장바구니에,
 장바구니 담기
ar: حذف, احذف, إزالة, مسح, حفظ, احفظ, نشر, انشر, دفع, ادفع, شراء, اشتر, اطلب الآن, احجز, تبرع,
 تحويل, تسجيل الخروج, خروج, متابعة الحساب, إلغاء المتابعة, أعجبني, صوت, تصويت, اشترك, اشتراك,
 إلغاء الاشتراك, رد, علق, رفع, استيراد, استبدال, موافقة, رفض, أرشفة, استعادة, حظر, إبلاغ, دعوة,
 انضم, تثبيت, تفعيل, تعطيل, نقل, إعادة تسمية, أضف إلى السلة, إلغاء الطلب
"""
SEND: Final = """
en: submit, send, update, confirm, hand in, complete, commit
de: absenden, senden, abschicken, einreichen, aktualisieren, bestätigen, übernehmen
fr: envoyer, envoyez, soumettre, valider, confirmer, mettre à jour
es: enviar, envía, confirmar, actualizar
it: invia, inviare, conferma, aggiorna
pt: enviar, envie, confirmar, atualizar
nl: verzenden, versturen, indienen, bevestigen, bijwerken
pl: wyślij, prześlij, potwierdź, zaktualizuj
ru: отправить, подтвердить, обновить данные
tr: gönder, güncelle, teyit et
sv: skicka, bekräfta, uppdatera
zh: 提交, 发送, 發送, 送出, 确认, 確認, 更新
ja: 送信, 提出, 確定, 確認する, 更新する
ko: 제출, 보내기, 전송, 확정, 업데이트
ar: إرسال, أرسل, تأكيد, تحديث
"""
MAKE: Final = """
en: add, create, new, insert, change, set, generate, share
de: hinzufügen, erstellen, anlegen, neu, ändern, teilen
fr: ajouter, créer, nouveau, nouvelle, modifier, partager
es: añadir, agregar, crear, nuevo, nueva, cambiar, compartir
it: aggiungi, crea, nuovo, nuova, cambia, condividi
pt: adicionar, criar, novo, nova, alterar, compartilhar, partilhar
nl: toevoegen, maken, aanmaken, nieuw, wijzigen, delen
pl: dodaj, utwórz, nowy, nowa, nowe, zmień, udostępnij
ru: добавить, создать, новый, изменить, поделиться
tr: ekle, oluştur, yeni, değiştir
sv: lägg till, skapa, ny, ändra, dela
zh: 添加, 新增, 创建, 建立, 新建, 修改, 分享
ja: 追加, 作成, 新規, 変更, 共有
ko: 추가, 만들기, 생성, 새로, 변경, 공유
ar: إضافة, أضف, إنشاء, جديد, تغيير, مشاركة
"""
AGREE: Final = """
en: ok, okay, yes, continue, proceed, accept, agree, go, done, finish, got it, i'm sure, log in,
 login, sign in, register, sign up, create account, run, start
de: ok, ja, weiter, fortfahren, akzeptieren, zustimmen, los, fertig, anmelden, einloggen,
 registrieren
fr: ok, oui, continuer, accepter, terminer, connexion, se connecter, s inscrire
es: ok, sí, si, continuar, aceptar, terminar, iniciar sesión, acceder, registrarse
it: ok, sì, si, continua, accetta, fine, accedi, registrati
pt: ok, sim, continuar, aceitar, concluir, entrar, cadastrar
nl: ok, ja, doorgaan, akkoord, accepteren, klaar, inloggen, aanmelden, registreren
pl: ok, tak, dalej, kontynuuj, akceptuj, zakończ, zaloguj, zaloguj się, zarejestruj się
ru: ок, да, продолжить, принять, готово, войти, зарегистрироваться
tr: tamam, evet, devam, devam et, kabul et, bitir, giriş yap, oturum aç, kaydol
sv: ok, ja, fortsätt, godkänn alla, klar, logga in
zh: 确定, 確定, 是, 继续, 接受, 同意, 完成, 登录, 登入, 注册
ja: はい, 続行, 同意, 完了, ログイン, サインイン
ko: 확인, 예, 계속, 동의, 수락, 완료, 로그인, 가입
ar: موافق, نعم, متابعة, استمرار, قبول, تسجيل الدخول
"""
READ: Final = """
en: search, find, look up, lookup, filter, sort, order by, show, view, see, display, preview,
 compare, diff, next, previous, prev, back, go back, new search, first, last, more, load more,
 read more, details, expand, collapse, open, close, hide, cancel, dismiss, reset, clear, refresh,
 reload, edit, help, print, export, download, select, choose, copy, browse, menu, toggle navigation,
 zoom, play, pause, skip, list, advanced, explain, format, test, validate
de: suche, suchen, finden, filter, filtern, sortieren, zeigen, anzeigen, ansehen, vorschau,
 vergleichen, nächste, nächster, vorherige, zurück, mehr, details, öffnen, schließen, ausblenden,
 abbrechen, leeren, aktualisieren der ansicht, bearbeiten, hilfe, drucken, exportieren,
 herunterladen, auswählen, kopieren
fr: rechercher, recherche, chercher, trouver, filtrer, trier, afficher, voir, aperçu, prévisualiser,
 comparer, suivant, précédent, retour, plus, détails, ouvrir, fermer, masquer, annuler,
 réinitialiser, actualiser, éditer, aide, imprimer, exporter, télécharger, choisir, copier
es: buscar, busca, encontrar, filtrar, ordenar, mostrar, ver, vista previa, comparar, siguiente,
 anterior, volver, atrás, más, detalles, abrir, cerrar, ocultar, cancelar, limpiar, editar, ayuda,
 imprimir, exportar, descargar, seleccionar, elegir, copiar
it: cerca, trova, filtra, ordina, ordina per, mostra, vedi, visualizza, anteprima, confronta,
 successivo, avanti, precedente, indietro, altro, carica altro, carica altri, dettagli, apri,
 chiudi, nascondi, annulla, reimposta, modifica, aiuto, stampa, esporta, scarica, seleziona, scegli,
 copia
pt: buscar, pesquisar, procurar, filtrar, ordenar, mostrar, exibir, ver, visualizar, comparar,
 próximo, próxima, anterior, voltar, mais, detalhes, abrir, fechar, ocultar, cancelar, limpar,
 editar, ajuda, imprimir, exportar, baixar, selecionar, escolher, copiar
nl: zoek, zoeken, vinden, filter, filteren, sorteren, tonen, toon, bekijken, bekijk, voorbeeld,
 vergelijken, volgende, vorige, terug, meer, details, openen, sluiten, verbergen, annuleren,
 bewerken, hulp, afdrukken, exporteren, downloaden, selecteren, kiezen, kopiëren
pl: szukaj, wyszukaj, znajdź, filtruj, sortuj, pokaż, zobacz, podgląd, porównaj, następny, następna,
 poprzedni, poprzednia, wstecz, wróć, więcej, szczegóły, otwórz, zamknij, ukryj, anuluj, wyczyść,
 odśwież, edytuj, pomoc, drukuj, eksportuj, pobierz, wybierz, kopiuj
ru: поиск, найти, искать, фильтр, фильтровать, сортировать, показать, смотреть, просмотр, сравнить,
 далее, следующая, предыдущая, назад, ещё, еще, подробнее, открыть, закрыть, скрыть, отмена,
 очистить, сбросить, обновить, редактировать, править, помощь, печать, экспорт, скачать, выбрать,
 копировать
tr: ara, bul, filtrele, sırala, göster, görüntüle, önizle, önizleme, karşılaştır, sonraki, önceki,
 geri, daha fazla, ayrıntılar, aç, kapat, gizle, iptal, vazgeç, temizle, yenile, düzenle, yardım,
 yazdır, dışa aktar, indir, seç, kopyala
sv: sök, hitta, filtrera, sortera, visa, förhandsgranska, jämför, nästa, föregående, tillbaka, mer,
 öppna, stäng, dölj, avbryt, rensa, redigera, hjälp, skriv ut, exportera, ladda ner, välj, kopiera
zh: 搜索, 搜尋, 查找, 查询, 查詢, 筛选, 篩選, 排序, 显示, 顯示, 查看, 预览, 預覽, 比较, 下一, 上一,
 返回, 更多, 详情, 打开, 关闭, 關閉, 隐藏, 取消, 重置, 清除, 刷新, 编辑, 編輯, 帮助, 打印, 导出,
 下载
ja: 検索, 探す, 絞り込み, フィルター, 並べ替え, 表示, 見る, プレビュー, 比較, 次へ, 前へ, 戻る,
 もっと, 詳細, 開く, 閉じる, 隠す, キャンセル, リセット, クリア, 再読み込み, 編集, ヘルプ, 印刷,
 エクスポート, ダウンロード, 選択
ko: 검색, 찾기, 필터, 정렬, 표시, 보기, 미리보기, 비교, 다음, 이전, 뒤로, 더보기, 상세, 열기, 닫기,
 숨기기, 취소, 초기화, 새로고침, 편집, 도움말, 인쇄, 내보내기, 다운로드, 선택
ar: بحث, ابحث, تصفية, فرز, ترتيب, عرض, إظهار, معاينة, مقارنة, التالي, السابق, رجوع, المزيد, تفاصيل,
 فتح, إغلاق, إخفاء, إلغاء, مسح الحقول, تحديث الصفحة, تعديل, مساعدة, طباعة, تصدير, تنزيل, اختيار
"""
LEAVE: Final = (
    "log out, logout, sign out, signout, log off, logoff, abmelden, ausloggen, logout, déconnexion,"
    "se déconnecter, cerrar sesión, salir, esci, disconnetti, sair, terminar sessão, uitloggen,"
    "afmelden, wyloguj, wyloguj się, выйти, выход, çıkış, çıkış yap, oturumu kapat, logga ut, 退出,"
    "退出登录, 登出, 注销, 登出帳號, ログアウト, サインアウト, 로그아웃, تسجيل الخروج, خروج"
)
ICONS: Final = """
en: trash, trashcan, bin, delete, remove, heart, thumbs up, thumbs down, like, upvote, downvote,
 bookmark, bell, paper plane, floppy, save, logout, log out, sign out, power off, vote
"""
SURE: Final = """
en: are you sure, are you certain, do you really, do you want to, please confirm, cannot be undone,
 can't be undone
de: sind sie sicher, bist du sicher, wirklich, möchten sie, möchtest du
fr: êtes-vous sûr, êtes-vous certain, voulez-vous, es-tu sûr
es: está seguro, estás seguro, desea eliminar, quieres eliminar
it: sei sicuro, siete sicuri, vuoi davvero
pt: tem certeza, tem a certeza, deseja
nl: weet je zeker, weet u zeker, wilt u
pl: czy na pewno
ru: вы уверены, действительно хотите
tr: emin misiniz
sv: är du säker, vill du verkligen
zh: 您确定, 确定要, 是否确认, 確定要
ja: よろしいですか, 本当に, しますか
ko: 정말, 하시겠습니까
ar: هل أنت متأكد, هل تريد
"""
REFUSED: Final = """
en: please correct, this field is required, please enter a correct, please enter the correct,
 incorrect username, incorrect password, invalid username, invalid login, login failed,
 invalid password, wrong password, wrong username, no items have been changed, nothing was changed,
 no changes were made, could not be saved, was not saved, have not been saved, already exists,
 already taken, already in use, do not match, didn't match
de: bitte korrigieren, dieses feld ist erforderlich, dieses feld wird benötigt,
 falscher benutzername, falsches passwort, nicht gespeichert, existiert bereits, bereits vergeben,
 stimmen nicht überein
fr: veuillez corriger, ce champ est obligatoire, mot de passe incorrect, identifiant incorrect,
 n'a pas été enregistré, existe déjà, ne correspondent pas
es: por favor corrija, este campo es obligatorio, contraseña incorrecta, usuario incorrecto,
 no se ha guardado, ya existe, no coinciden
it: correggi gli errori, questo campo è obbligatorio, password errata, non è stato salvato,
 esiste già, non corrispondono
pt: por favor corrija, este campo é obrigatório, senha incorreta, não foi salvo, já existe,
 não coincidem
nl: herstel de fouten, dit veld is verplicht, onjuist wachtwoord, niet opgeslagen, bestaat al,
 komen niet overeen
pl: popraw błędy, to pole jest wymagane, nieprawidłowe hasło, nie zapisano, już istnieje
ru: исправьте ошибки, обязательное поле, неверный пароль, не сохранено, уже существует, не совпадают
tr: lütfen düzeltin, bu alan zorunludur, hatalı şifre, kaydedilmedi, zaten var
sv: rätta felen, fältet måste fyllas i, fel lösenord, sparades inte, finns redan
zh: 请更正, 此字段为必填, 密码错误, 密码不正确, 未保存, 已存在, 不匹配
ja: 修正してください, 必須項目です, パスワードが正しくありません, 保存されませんでした, 一致しません
ko: 수정하십시오, 필수 항목입니다, 비밀번호가 올바르지, 저장되지 않았, 이미 존재, 일치하지 않습니다
ar: يرجى تصحيح, هذا الحقل مطلوب, كلمة المرور غير صحيحة, لم يتم الحفظ, موجود بالفعل
"""
SIGNS: Final = "👍👎❤♥⭐★☆🗑🔔📌🔖💾🚮"
"""Signs that stand for a word of CHANGE."""
UNSPACED: Final = ("zh", "ja", "ko")
"""Languages whose words are found inside longer ones."""
