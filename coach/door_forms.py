"""The forms at the doors: signing in, coming in, passwords, the second step, and the way out."""

from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib.auth import authenticate
from django.contrib.auth.forms import AuthenticationForm, PasswordChangeForm, SetPasswordForm, UserCreationForm
from django.contrib.auth.models import User
from django.core.validators import MaxLengthValidator
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from coach import folders
from coach.forms import LongSelect, time_zones
from coach.models import Athlete
from coach.models.athlete import Language, Units

if TYPE_CHECKING:  # Django's own classes take no parameter when the program runs
    NewUserForm = UserCreationForm[User]
    NewPasswordForm = SetPasswordForm[User]
else:
    NewUserForm, NewPasswordForm = UserCreationForm, SetPasswordForm

GOOD_PASSWORD = _("At least eight characters: not only digits, no common password, and nothing like your name.")


class SignInForm(AuthenticationForm):
    error_messages = {
        "invalid_login": _("No account has this name and password. Both are case-sensitive."),
        "inactive": _("This account is switched off. Ask the person who runs this site."),
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].label = _("User name")
        longest = User._meta.get_field("username").max_length
        self.fields["username"].validators.append(MaxLengthValidator(longest or 0))  # Django only tells the browser


class AgainForm(forms.Form):
    """Asks who is signed in for the password again; wrong ones count as they do at the sign-in."""

    password = forms.CharField(
        label=_("Your password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
        help_text=_("So that nobody else can do this on a screen you left open."),
    )

    def __init__(self, *args: Any, request: HttpRequest, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.request = request

    def clean_password(self) -> str:
        password = str(self.cleaned_data["password"])
        if not is_password_of(self.request, password):
            raise forms.ValidationError(_("That is not your password."))
        return password


def is_password_of(request: HttpRequest, password: str) -> bool:
    found = authenticate(request, username=request.user.get_username(), password=password)
    return found is not None and found.pk == request.user.pk


class FarewellForm(AgainForm):
    sure = forms.BooleanField(label=_("Delete everything, for good"))


class ChangePasswordForm(PasswordChangeForm):
    def __init__(self, *args: Any, request: HttpRequest, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        del self.fields["old_password"].widget.attrs["autofocus"]  # a page begins at its beginning
        self.request = request
        self.fields["old_password"].label = _("The password you have")
        self.fields["new_password1"].help_text = GOOD_PASSWORD
        self.fields["new_password2"].help_text = ""

    def clean_old_password(self) -> str:
        password = str(self.cleaned_data["old_password"])
        if not is_password_of(self.request, password):
            raise forms.ValidationError(_("That is not your password."))
        return password


class ResetPasswordForm(NewPasswordForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["new_password1"].help_text = GOOD_PASSWORD
        self.fields["new_password2"].help_text = ""


class MailForm(forms.Form):
    email = forms.EmailField(
        label=_("Your mail address"), max_length=254, widget=forms.EmailInput(attrs={"autocomplete": "email"})
    )


class CodeForm(forms.Form):
    code = forms.CharField(
        label=_("Code"),
        max_length=32,
        widget=forms.TextInput(
            attrs={
                "autocomplete": "one-time-code",
                "inputmode": "text",
                "autocapitalize": "none",
                "spellcheck": "false",
            }
        ),
    )


class RemoveForm(AgainForm):
    """Takes the second step away: whoever sits at an open screen has neither the password nor the phone."""

    code = forms.CharField(label=_("Code"), max_length=32, widget=forms.TextInput(attrs={"autocomplete": "off"}))


class WelcomeForm(NewUserForm):
    """Makes the account of somebody who was invited. What it makes has no rights: no field names any."""

    email = forms.EmailField(
        label=_("Mail address"),
        required=False,
        max_length=254,
        help_text=_("For the day you forget the password. Leave it empty if you like."),
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )
    language = forms.ChoiceField(label=_("Language"), choices=Language.choices)
    units = forms.ChoiceField(label=_("Units"), choices=Units.choices)
    time_zone = forms.ChoiceField(
        label=_("Time zone"), widget=LongSelect, help_text=_("Your days and weeks begin here.")
    )

    class Meta(UserCreationForm.Meta):
        fields = ("username",)
        labels = {"username": _("User name")}
        help_texts = {"username": _("Letters, digits and @ . + - _ are fine.")}

    def __init__(self, *args: Any, confirmed: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["time_zone"].choices = time_zones("UTC")  # type: ignore[attr-defined]
        self.fields["password1"].help_text = GOOD_PASSWORD
        self.fields["password2"].help_text = ""
        self.fields["username"].widget.attrs["autocomplete"] = "username"
        if confirmed:  # the link came by mail: there is nothing to choose
            del self.fields["email"]

    def clean_username(self) -> str:
        name = super().clean_username()
        if name and folders.is_taken(name):
            raise forms.ValidationError(_("This user name cannot be taken here. Choose another one."))
        return name or ""

    def people(self) -> tuple[User, Athlete]:
        """Return the user and the athlete that the form describes, not saved."""
        given = self.cleaned_data
        user = self.save(commit=False)
        user.email = given.get("email", "")
        athlete = Athlete(time_zone=given["time_zone"], units=given["units"], language=given["language"])
        return user, athlete
